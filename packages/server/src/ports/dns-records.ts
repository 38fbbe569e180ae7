/** Looks records of the DNS up, for people who set their mail up. */
export interface DnsRecords {
  /**
   * Returns the records of a name; null when the name servers do not respond. The parts of a TXT record are joined; an MX
   * record is its preference and its server, such as `10 mx.example.com`.
   */
  find(type: 'TXT' | 'MX' | 'A' | 'AAAA', name: string): Promise<string[] | null>
}
