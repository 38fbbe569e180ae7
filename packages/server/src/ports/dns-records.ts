/** Looks records of the DNS up, for people who set their mail up. */
export interface DnsRecords {
  /** Returns the TXT records of a name, each one joined; null when the name servers do not respond. */
  findTxt(name: string): Promise<string[] | null>
}
