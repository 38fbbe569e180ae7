export interface Reply {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export const failed = (status: number, category: string): Reply => ({
  status,
  body: { message: category, correlationId: '1', category },
})
