import type { Browser } from 'playwright-core'
import { call, registerTenant } from '../../support/call.ts'
import { openConsole, signIn, writeAsCustomer } from './console-browser.ts'

/** A console of a new tenant, with an open conversation of the customer Grace and her panel beside it. */
export async function openGrace(browser: Browser, url: string) {
  const { token, email } = await registerTenant(url)
  const id = await writeAsCustomer(url, token, { subject: 'A lamp', content: 'It is broken.' })
  /** A request beside the console; returns the data of the response. */
  const request = async (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) => {
    const given = { method, path: `/api/v1/${path}`, token, ...(body && { body }) }
    const response = await call(url, given)
    if (response.status > 201) throw new Error(JSON.stringify(response.body))
    return response.body.data
  }
  const customerId = (await request('GET', `conversations/${id}`)).customerId._id as string
  const address = `${url}/console/inbox/open/-/-/${id}`
  const { page, complaints } = await openConsole(browser, address)
  await signIn(page, email)
  const panel = page.getByRole('complementary', { name: 'Customer' })
  await panel.getByText('grace@example.com').waitFor()
  return { token, email, id, customerId, address, page, panel, complaints, request }
}
