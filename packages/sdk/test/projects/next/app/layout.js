// biome-ignore lint/style/noDefaultExport: Next reads the default export
export default function Layout({ children }) {
  return children
}
