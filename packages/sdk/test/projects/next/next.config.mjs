// biome-ignore lint/style/noDefaultExport: Next reads the default export
export default { turbopack: { root: import.meta.dirname } }
