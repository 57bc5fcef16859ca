import { type Check, type CheckOptions, checkModule } from '../conformance/check-module.ts'

export type Report = {
  readonly url: string
  readonly failed: number
  readonly checks: readonly Check[]
}

/** Checks a module against every row of the protocol. */
export async function makeReport(url: string, options: CheckOptions): Promise<Report> {
  const { checks } = await checkModule(moduleUrl(url), options)
  return { url, failed: checks.filter(({ ok }) => !ok).length, checks }
}

/** Returns a line for each check, and one for all. */
export function reportLines({ checks, failed }: Report): string[] {
  return [...checks.map(formatCheck), `${checks.length} checks, ${failed} failed`]
}

function formatCheck({ name, ok, count, reason }: Check): string {
  if (!ok) return `FAILED  ${name}: ${reason}`
  return count === 0 ? `-       ${name}: nothing to check` : `ok      ${name}`
}

/** Headers by name, from texts such as `authorization: Basic …`. @throws TypeError */
export function parseHeaders(texts: readonly string[]): { [name: string]: string } {
  const headers: { [name: string]: string } = {}
  for (const text of texts) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(text) ?? []
    if (name === undefined || value === undefined) {
      throw new TypeError(`${JSON.stringify(text)} is not a header such as "name: value"`)
    }
    headers[name] = value
  }
  return headers
}

/** @throws TypeError */
function moduleUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new TypeError(`${JSON.stringify(text)} is not a URL of a module`)
}
