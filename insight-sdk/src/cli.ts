#!/usr/bin/env node
import { checkModule } from './conformance/check-module.ts'

const usage = 'usage: insight-sdk check <url of the module> [--header "name: value"]...'

/** Prints one line a check, and ends with 1 where one failed, with 2 where the usage is wrong. */
async function main(words: readonly string[]): Promise<number> {
  const [command, url, ...rest] = words
  const headers = headersOf(rest)
  if (command !== 'check' || url === undefined || !URL.canParse(url) || headers === undefined) {
    console.error(usage)
    return 2
  }
  const { checks } = await checkModule(url, { headers })
  for (const { name, ok, reason } of checks) {
    console.log(ok ? `ok      ${name}` : `FAILED  ${name}: ${reason}`)
  }
  const failed = checks.filter(({ ok }) => !ok).length
  console.log(`${checks.length} checks, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function headersOf(words: readonly string[]): { [name: string]: string } | undefined {
  const headers: { [name: string]: string } = {}
  for (let index = 0; index < words.length; index += 2) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(words[index + 1] ?? '') ?? []
    if (words[index] !== '--header' || name === undefined || value === undefined) return undefined
    headers[name] = value
  }
  return headers
}

process.exitCode = await main(process.argv.slice(2))
