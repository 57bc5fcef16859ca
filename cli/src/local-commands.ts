import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { components, operations } from '@millrace/client'
import type { Invocation } from './invocation.ts'

/**
 * The commands that run beside the instance; they come with the server. A test compares the list.
 */
export const localCommands: Readonly<Record<string, { readonly summary: string }>> = {
  start: { summary: 'Run the platform with its demo, as npm start does.' },
  serve: { summary: 'Run the platform without a demo, until Ctrl-C.' },
  config: { summary: 'Print every setting, and every limit that can be set.' },
  migrate: {
    summary: 'Bring the tables of the database up to this version, as serve does at its start.',
  },
  'backup verify': {
    summary: 'Read a whole backup and check that no part of it is missing or changed.',
  },
  backup: { summary: 'Write all data of the instance into a file, while it runs.' },
  restore: { summary: 'Fill a new data directory, or an empty database, from a backup.' },
  'authority export': {
    summary: "Write the instance's CA, with its key, into files of a folder.",
  },
  'authority replace': {
    summary: "Replace the instance's CA: by that of a folder, or by a new one.",
  },
  'ledger verify': {
    summary: 'Verify that in = out + failed + pending at every stage; exit with 1 if not.',
  },
  'upkeep confirm': {
    summary: "Confirm that the machine's time is right, so that old data is removed again.",
  },
}

const folder = join(import.meta.dirname, '..', '..', 'server', 'src', 'platform', 'cli')

type Local = {
  runCommand(args: readonly string[], invocation: Invocation): Promise<number>
  /** Runs a command line as this process, with its own handling of signals. */
  launch(args: readonly string[]): Promise<number>
}

/** Returns whether a command line is that of a local command. */
export function isForServer(args: readonly string[]): boolean {
  const names = [1, 2].map((words) => args.slice(0, words).join(' '))
  return names.some((name) => Object.hasOwn(localCommands, name))
}

/** The commands of the server, where it is installed beside this package. */
export function serverCommands(): Promise<Local | undefined> {
  return load('index.ts')
}

type Tests = operations['runSolutionTests']['requestBody']['content']['application/json']
type TestResult = components['schemas']['SolutionTestResult']

/** Runs tests of a solution on an instance that is gone when they end, or at the signal. */
type TestHere = (
  tests: Tests,
  invocation: Pick<Invocation, 'env' | 'folder' | 'signal'>,
) => AsyncIterable<TestResult>

/** Undefined where the server is not installed beside this package. */
export async function serverTests(): Promise<TestHere | undefined> {
  const loaded = await load<{ readonly testSolution: TestHere }>('solution/test.ts')
  return loaded?.testSolution
}

async function load<Module>(file: string): Promise<Module | undefined> {
  const path = join(folder, file)
  return existsSync(path) ? ((await import(pathToFileURL(path).href)) as Module) : undefined
}

/** Returns whether the server is installed beside this package. */
export function hasServer(): boolean {
  return existsSync(folder)
}
