import { asWritten, type OwnFile, readFolder } from '@millrace/cli/folder'
import type { Sources } from '@millrace/cli/source-lines'
import type { Config } from '../../config.ts'
import { elapsedMs, Fault } from '../../kernel/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { untilStopped } from '../signals.ts'
import { coloursOf } from '../terminal.ts'
import { findTests, type TestFile } from './test/find.ts'
import { openThrowAway, type ThrowAway } from './test/instance.ts'
import { machineReport, peopleReport, type Report } from './test/report.ts'
import { type Inner, runFile, tryFolder } from './test/run.ts'
import { testService } from './test/service.ts'
import { standIn } from './test/stage.ts'

export const solutionTest: Command = {
  name: 'solution test',
  summary: 'Run the *_test.lua files of a folder on a temporary instance.',
  options: {
    dir: { meaning: 'The folder; also without --dir.', required: true },
    filter: { meaning: 'Run only tests whose name or file contains this text.' },
    with: { meaning: 'Other solutions to push beside it, as id=folder, separated by commas.' },
    'allow-outbound': { meaning: 'Allow scripts to call servers outside.', flag: true },
    json: { meaning: 'Print one JSON object at the end, for programs.', flag: true },
  },
  operand: 'dir',
  example:
    `mkdir -p greet && echo 'return "Hello " .. event.name' > greet/user_greet.lua && ` +
    `echo 'function test_greets() expect(event("user", "greet", {name = "Ada"}))` +
    `:equals("Hello Ada") end' > greet/greet_test.lua && npx millrace solution test greet`,
  async run({ dir = '', filter = '', with: others, json, 'allow-outbound': open }) {
    const files = await readFolder(dir)
    const found = await findTests(dir)
    if (found.length === 0) throw new UsageError(`${dir} has no file *_test.lua`)
    const chosen = found.filter((one) => one.path.includes(filter) || holds(one, filter))
    if (chosen.length === 0) throw new UsageError(`no test's name holds "${filter}"`)
    const work: Work = {
      dir,
      files,
      others: await readOthers(others),
      tests: chosen,
      filter,
      asJson: json !== undefined,
      allowOutbound: open !== undefined,
    }
    return testFolder(work)
  },
}

type Work = {
  readonly dir: string
  readonly files: readonly OwnFile[]
  readonly others: ReadonlyMap<string, readonly OwnFile[]>
  readonly tests: readonly TestFile[]
  readonly filter: string
  readonly asJson: boolean
  readonly allowOutbound: boolean
}

function holds({ tests }: TestFile, filter: string): boolean {
  return tests.some(({ name }) => name.includes(filter))
}

async function readOthers(text = ''): Promise<Map<string, OwnFile[]>> {
  const others = new Map<string, OwnFile[]>()
  for (const one of text.split(',').filter((part) => part !== '')) {
    const [id = '', dir, ...more] = one.split('=')
    if (dir === undefined || more.length > 0) throw new UsageError(`--with is id=folder: ${one}`)
    others.set(id, await readFolder(dir))
  }
  return others
}

const interrupted = 130

async function testFolder(work: Work): Promise<number> {
  const beganMs = elapsedMs()
  const stopping = new AbortController()
  let config: Config | undefined
  untilStopped(() => config).then(() => stopping.abort())
  const { signal } = stopping
  const instance = await openThrowAway({
    ...work,
    environment: process.env,
    opening(its) {
      config = its
    },
  })
  try {
    const code = await runAll(instance, work, signal, beganMs)
    return signal.aborted ? interrupted : code
  } finally {
    await instance.close()
  }
}

async function runAll(
  { platform, served }: ThrowAway,
  work: Work,
  stopping: AbortSignal,
  beganMs: number,
): Promise<number> {
  const { dir, files, others, tests, filter } = work
  const inner: Inner = []
  const { services } = platform.scripting.api
  const ended = (what: string, end: Inner[number]['end']) => void inner.push({ what, end })
  services.register(testService({ platform, httpUrl: served.httpUrl, dir, stopping, ended }))
  services.registerFinder({ find: async (_, name) => standIn(name), otherwise: true })
  const report = reportOf(work)
  const needs = { platform, play: { files, others }, inner }
  let failed = false
  const tell = (result: Parameters<Report['add']>[0]) => {
    failed ||= result.outcome !== 'passed'
    report.add(result)
  }
  const usage = { cpuMs: 0, serviceCalls: 0, wallMs: 0 }
  try {
    await tryFolder(needs)
    for (const file of tests) {
      const wanted = (name: string) => file.path.includes(filter) || name.includes(filter)
      for await (const result of runFile(needs, file, wanted)) {
        if (stopping.aborted) return 1
        tell(result)
      }
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const text = asWritten(error.detail, files)
    tell({ file: dir, outcome: 'failed', usage, error: { text, trace: [] }, printed: [] })
  }
  report.end(elapsedMs() - beganMs)
  return failed ? 1 : 0
}

function reportOf({ files, others, tests, asJson }: Work): Report {
  const all = [...files, ...[...others.values()].flat(), ...tests]
  const sources: Sources = new Map(all.map(({ path, text }) => [path, text]))
  if (asJson) return machineReport(print, sources)
  return peopleReport(print, sources, coloursOf(process.stdout, process.env))
}
