/** Folder of the console, such as `https://crm.example.com/support/console/`: known from the script's own address. */
const consoleAddress: URL = new URL('../', import.meta.url)

/** Address of the service, without a slash at its end. */
export const serviceAddress: string = new URL('../', consoleAddress).href.replace(/\/$/, '')
