/** The addresses of sample customers. No mail arrives at a name that ends in `.example`: RFC 2606 reserves it. */
export const sampleDomain = 'sample.example'

export const isSampleAddress = (address: string): boolean =>
  address.toLowerCase().endsWith(`@${sampleDomain}`)
