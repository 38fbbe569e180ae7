/** The build collects all style sheets that are imported into one file. */
declare module '*.css'
