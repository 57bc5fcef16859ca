import { readFileSync } from 'node:fs'
import { Fault, newId, withoutMark } from '../../foundation/kernel/index.ts'
import type { SolutionLine } from '../../log/activity/index.ts'
import type { Ended, FolderFile } from '../scripting/index.ts'
import { chooseTests, type FoundTest, type TestFile, wanted } from './find.ts'
import type { TestInput, TestResult } from './schema.ts'
import { testService } from './service.ts'
import {
  createTestedSolution,
  missingService,
  type TestedFolders,
  type TestInstance,
} from './tested-solution.ts'

type Usage = NonNullable<SolutionLine['usage']>

type TestError = NonNullable<TestResult['error']>

/** The outcomes of the handlers that the current test has run. */
type Inner = { readonly what: string; readonly end: Ended }[]

type RunOptions = {
  readonly instance: TestInstance
  readonly folders: Omit<TestedFolders, 'extra'>
  readonly inner: Inner
}

/** Its name stands first in the order of plain scripts. */
const supportFile = '-millrace-test.lua'
const support = readFileSync(new URL('./support.lua', import.meta.url), 'utf8')
const names = 'event, event_from, request, wait_for, fake, calls, printed, expect'
const handler = 'handle_millracetest_run'
const noUsage: Usage = { cpuMs: 0, serviceCalls: 0, wallMs: 0 }

/** A run has tests: none is started for nothing. */
export function hasTests({ tests, filter = '' }: Pick<TestInput, 'tests' | 'filter'>): boolean {
  return chooseTests(tests, filter).length > 0
}

/** Runs tests on an instance that is used for nothing else. */
export async function* runTests(
  instance: TestInstance,
  { files, others = [], tests, data = [], filter = '' }: TestInput,
  stopping: AbortSignal,
): AsyncGenerator<TestResult> {
  const inner: Inner = []
  const { services } = instance.scripting.api
  const ended = (what: string, end: Ended) => void inner.push({ what, end })
  services.register(testService({ instance, data, stopping, ended }))
  services.registerFinder({ find: async (_, name) => missingService(name), otherwise: true })
  const options = { instance, folders: { files, others }, inner }
  const fault = await tryFolder(options)
  if (fault !== undefined) {
    yield failedFile(null, { text: fault.detail, trace: [] })
    return
  }
  for (const file of chooseTests(tests, filter)) {
    for await (const result of runFile(options, file, filter)) {
      if (stopping.aborted) return
      yield result
    }
  }
}

/** Pushes the folder once, so that its errors are reported once. */
async function tryFolder({ instance, folders }: RunOptions): Promise<Fault | undefined> {
  try {
    const tested = await createTestedSolution(instance, { ...folders, extra: [] })
    await tested.remove()
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** Runs a file's tests one after the other, each on solutions of its own. */
async function* runFile(
  options: RunOptions,
  file: TestFile,
  filter: string,
): AsyncGenerator<TestResult> {
  const { path, tests, problem } = file
  if (problem !== undefined) {
    yield failedFile(path, { text: problem, trace: [] })
    return
  }
  for (const test of tests.filter(wanted(file, filter))) {
    try {
      yield await runTest(options, file, test)
    } catch (error) {
      yield failedFile(path, { text: toSentence(error), trace: [] })
      return
    }
  }
}

async function runTest(
  { instance, folders, inner }: RunOptions,
  { path, text }: TestFile,
  test: FoundTest,
): Promise<TestResult> {
  const { name } = test
  inner.length = 0
  const tested = await createTestedSolution(instance, {
    ...folders,
    extra: [supportScript, wrapTest(path, text)],
  })
  const { businessId, solutionId } = tested
  try {
    const end = await instance.scripting.api.run({
      businessId,
      solutionId,
      service: 'millracetest',
      event: 'run',
      argument: name,
      trackingId: newId(instance.random),
    })
    const lines = await tested.lines()
    const usage = lines.findLast((line) => line.handler === handler)?.usage ?? noUsage
    const printed = lines
      .filter(({ kind }) => kind === 'log')
      .map(({ level, text }) => ({ level, text }))
    const error = toTestError(end, inner, `${path}:${test.line}`)
    const outcome = error === undefined ? 'passed' : error.stopped ? 'stopped' : 'failed'
    return { file: path, name, outcome, usage, printed, ...(error === undefined ? {} : { error }) }
  } finally {
    await tested.remove()
  }
}

const supportScript: FolderFile = { path: supportFile, text: support }

/** On the first line, so that the others keep their numbers. */
function wrapTest(path: string, text: string): FolderFile {
  return { path, text: `local ${names} = __millrace_test() ${withoutMark(text)}` }
}

/**
 * The failure of a test. A stop may name no line of its file, so the place is the test's. A limit
 * that stops a handler takes the machine with it, and so the test: then the handler's end is the
 * reason.
 */
function toTestError(
  end: Ended,
  inner: Inner,
  place: string,
): (TestError & { stopped: boolean }) | undefined {
  if (end.kind === 'returned') return undefined
  const { error: text } = end.error
  if (end.kind === 'failed') {
    const cause = inner.find((one) => one.end.kind === 'failed' && one.end.error.error === text)
    const trace = [...ownTrace(cause?.end), ...ownTrace(end)]
    return { text, trace, stopped: false }
  }
  const cause = inner.find((one) => one.end.kind === 'stopped')
  if (end.limit !== 'worker' || cause?.end.kind !== 'stopped') {
    return { text: `${place}: ${text}`, trace: ownTrace(end), stopped: true }
  }
  const { error } = cause.end.error
  const trace = ownTrace(cause.end)
  return { text: `${place}: ${error}, in ${cause.what}`, trace, stopped: true }
}

/** Without what is ours. */
function ownTrace(end: Ended | undefined): string[] {
  const trace = end === undefined || end.kind === 'returned' ? [] : (end.trace ?? [])
  const own = trace.filter((place) => !place.startsWith(supportFile))
  return own.map((place) => place.replace(/ in local 'test'$/, ''))
}

function failedFile(file: string | null, error: TestError): TestResult {
  return { file, name: null, outcome: 'failed', usage: noUsage, error, printed: [] }
}

function toSentence(error: unknown): string {
  return error instanceof Fault ? error.detail : (error as Error).message
}
