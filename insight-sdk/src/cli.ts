#!/usr/bin/env node
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { headersOf, reportLines, reportOf } from './cli/check.ts'

const usage = `usage:
  insight-sdk check <url> [--json] [--group <id>] [--header "name: value"]...`

const options = {
  json: { type: 'boolean' },
  group: { type: 'string' },
  header: { type: 'string', multiple: true },
} satisfies ParseArgsOptionsConfig

/** Returns the exit code: 0 done, 1 failed, 2 a wrong command line. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [command, operand = '', ...more] = positionals
    if (more.length === 0 && command === 'check') {
      const headers = headersOf(values.header ?? [])
      const report = await reportOf(operand, { headers, groupId: values.group ?? '' })
      const lines = values.json === true ? [JSON.stringify(report)] : reportLines(report)
      for (const line of lines) console.log(line)
      return report.failed === 0 ? 0 : 1
    }
    console.error(usage)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    console.error(`insight-sdk: ${error.message}\n${usage}`)
  }
  return 2
}

process.exitCode = await main(process.argv.slice(2))
