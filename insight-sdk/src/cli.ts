#!/usr/bin/env node
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { makeReport, parseHeaders, reportLines } from './cli/check.ts'
import { runDev } from './cli/dev.ts'
import { createProject } from './cli/new.ts'

const usage = `usage:
  insight-sdk new <folder> [--typescript] [--sdk <file>]
  insight-sdk dev [<program>] [--signals <file>] [--port <n>] [--page-port <n>]
  insight-sdk check [<url>] [--json] [--group <id>] [--header "name: value"]...`

const options = {
  json: { type: 'boolean' },
  group: { type: 'string' },
  header: { type: 'string', multiple: true },
  typescript: { type: 'boolean' },
  sdk: { type: 'string' },
  signals: { type: 'string' },
  port: { type: 'string' },
  'page-port': { type: 'string' },
} satisfies ParseArgsOptionsConfig

/** Returns the exit code: 0 done, 1 failed, 2 a wrong command line. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [command, operand = '', ...more] = positionals
    if (operand !== '' && more.length === 0 && command === 'new') {
      const language = values.typescript === true ? 'ts' : 'js'
      const files = await createProject({ folder: operand, language, sdk: values.sdk })
      for (const file of files) console.log(`${operand}/${file}`)
      return 0
    }
    if (command === 'dev') {
      const { signals, port, 'page-port': pagePort } = values
      await runDev({
        command: operand === '' ? [] : [operand, ...more],
        signals,
        port: port === undefined ? undefined : Number(port),
        pagePort: pagePort === undefined ? undefined : Number(pagePort),
        folder: process.cwd(),
        env: process.env,
        print: (line) => console.log(line),
        signal: interrupted(),
      })
      return 0
    }
    if (more.length === 0 && command === 'check') {
      const headers = parseHeaders(values.header ?? [])
      const report = await makeReport(operand || ownUrl(process.env), {
        headers,
        groupId: values.group ?? '',
      })
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

/** Returns the address at which a project of `new` is served. */
function ownUrl({ HOST = '127.0.0.1', PORT = '9402' }: NodeJS.ProcessEnv): string {
  return `http://${HOST}:${PORT}`
}

/** Aborted by Ctrl-C, and by a request to end. */
function interrupted(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

process.exitCode = await main(process.argv.slice(2))
