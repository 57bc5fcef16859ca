import {
  ApiError,
  type components,
  type MillraceClient,
  type operations,
  readEvents,
  upload,
} from '@millrace/client'
import { type Context, defineCommand, exitCodes, UsageError } from '../../command.ts'
import { NoInstance } from '../../connection/connect.ts'
import type { Input } from '../../input.ts'
import { hasServer, serverTests } from '../../local-commands.ts'
import { type FolderFile, readFolder } from '../../solution/folder.ts'
import type { Sources } from '../../solution/source-lines.ts'
import { findData, findTests } from '../../solution/test/files.ts'
import { machineReport, peopleReport } from '../../solution/test/report.ts'

type Body = operations['runSolutionTests']['requestBody']['content']['application/json']
type Result = components['schemas']['SolutionTestResult']

export const solutionTest = defineCommand({
  options: {
    dir: { meaning: 'The folder; also without --dir.', required: true },
    filter: { meaning: 'Run only tests whose name or file contains this text.', default: '' },
    with: { meaning: 'Other solutions to push beside it, as id=folder, separated by commas.' },
    'allow-outbound': { meaning: 'Allow scripts to call servers outside.', flag: true },
    temporary: {
      meaning: 'Start an instance of their own on this machine, also if another one runs.',
      flag: true,
    },
  },
  operand: 'dir',
  example:
    `mkdir -p greet && echo 'return "Hello " .. event.name' > greet/user_greet.lua && ` +
    `echo 'function test_greets() expect(event("user", "greet", {name = "Ada"}))` +
    `:equals("Hello Ada") end' > greet/greet_test.lua && npx millrace solution test greet`,
  routes: ['runSolutionTests'],
  async run({ dir, filter, with: others, 'allow-outbound': outbound, temporary }, context) {
    const work = await readWork(context.input, dir, others)
    const body = Object.assign({ filter, allow_outbound: outbound }, toBody(work))
    return testFolder(work, await runTests(body, temporary, context), filter, context)
  },
})

type Work = {
  readonly dir: string
  readonly files: readonly FolderFile[]
  readonly others: ReadonlyMap<string, readonly FolderFile[]>
  readonly tests: Body['tests']
  readonly data: NonNullable<Body['data']>
}

async function readWork(input: Input, dir: string, others: string | undefined): Promise<Work> {
  const path = input.path(dir)
  const files = await readFolder(path)
  const tests = await findTests(path)
  if (tests.length === 0) throw new UsageError(`${dir} has no file *_test.lua`)
  const data = await findData(path, tests)
  return { dir, files, tests, others: await readOthers(input, others), data }
}

async function readOthers(input: Input, text = ''): Promise<Map<string, FolderFile[]>> {
  const others = new Map<string, FolderFile[]>()
  for (const one of text.split(',').filter((part) => part !== '')) {
    const [id = '', dir, ...more] = one.split('=')
    if (dir === undefined || more.length > 0) throw new UsageError(`--with is id=folder: ${one}`)
    others.set(id, await readFolder(input.path(dir)))
  }
  return others
}

function toBody({ files, others, tests, data }: Work): Body {
  const pushed = (all: readonly FolderFile[]) => all.map(({ path, text }) => ({ path, text }))
  return {
    files: pushed(files),
    others: [...others].map(([id, all]) => ({ id, files: pushed(all) })),
    tests,
    data,
  }
}

/** On the instance that other commands would use; without one, on a temporary one here. */
async function runTests(
  body: Body,
  temporary: boolean,
  { client, signal, invocation }: Context,
): Promise<AsyncIterable<Result>> {
  const api = temporary ? undefined : await clientIfAny(client)
  if (api !== undefined) return overApi(api, body, signal)
  const test = await serverTests()
  if (test !== undefined) return test(body, invocation)
  throw new UsageError('--temporary works where the server is installed, which it is not here')
}

/** Undefined if there is no instance, and the server is installed here. */
async function clientIfAny(client: Context['client']): Promise<MillraceClient | undefined> {
  try {
    return await client()
  } catch (error) {
    if (error instanceof NoInstance && hasServer()) return undefined
    throw error
  }
}

async function* overApi(
  api: MillraceClient,
  body: Body,
  signal: AbortSignal,
): AsyncGenerator<Result> {
  const options = {
    method: 'POST',
    contentType: 'application/json',
    accept: 'text/event-stream',
    signal,
    // Only what is sent in pieces may take longer than an answer.
    progress: () => {},
  } as const
  const source = new Blob([JSON.stringify(body)])
  const response = await upload(api, '/api:1/solution-tests', source, options).catch((error) => {
    throw hasServer() ? withHint(error) : error
  })
  for await (const { event, data } of readEvents(response)) {
    if (event === 'result') yield data as Result
    if (event === 'done') return
  }
}

const hinted: readonly string[] = ['tests_refused', 'unreachable', 'timeout']

function withHint(error: unknown): unknown {
  if (!(error instanceof ApiError) || !hinted.includes(error.code)) return error
  const { code, status, reason, retryAfterS } = error
  const message = `${error.message} --temporary runs them on an instance of their own.`
  return new ApiError({ code, status, message, reason, retryAfterS, cause: error.cause })
}

async function testFolder(
  work: Work,
  results: AsyncIterable<Result>,
  filter: string,
  { out, signal }: Context,
): Promise<number> {
  const { dir } = work
  const beganMs = performance.now()
  const report = (out.isJson ? machineReport : peopleReport)(out, toSources(work))
  let count = 0
  let hasFailed = false
  for await (const { file, error, ...result } of results) {
    count += 1
    hasFailed ||= result.outcome !== 'passed'
    // A folder that cannot be pushed is reported by the names of its author.
    const shown =
      file !== null || error === undefined ? error : { text: error.text, trace: error.trace }
    report.add({ file: file ?? dir, ...result, ...(shown && { error: shown }) })
  }
  if (signal.aborted) return exitCodes.interrupted
  if (count === 0) throw new UsageError(`no test's name holds "${filter}"`)
  report.end(performance.now() - beganMs)
  return hasFailed ? exitCodes.failed : exitCodes.done
}

function toSources({ files, others, tests }: Work): Sources {
  const all = [...files, ...[...others.values()].flat(), ...tests]
  return new Map(all.map(({ path, text }) => [path, text]))
}
