/** Whether the build is made from the sources by a server; the build replaces it by its value. */
declare const IS_DEVELOPMENT: boolean
