// Plants one fault at a time in a copy of the tree, runs tests on it, and prints which ones they
// notice.
//
//   node dev/plant-faults.mjs --most 40 --seed 7 --seconds 120 <source files> -- <test files>
//
// A fault is a changed operator, condition, constant or verdict of a table. A run of the tests that
// fails or takes too long has killed it; the run ends at its first failure. --seed chooses the
// sample, which is the same for the same seed and sources. Without --seconds a run may take three
// times as long as one without any fault. It ends with 1 if any fault survived, and with 2 if the
// tests fail without one.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

function readArguments(args) {
  const at = args.indexOf('--')
  if (at < 0) {
    throw new Error('usage: plant-faults [--most N] [--seed N] [--seconds N] <sources> -- <tests>')
  }
  const settings = { most: 40, seed: randomInt(2 ** 31), seconds: undefined }
  const sources = []
  for (let index = 0; index < at; index += 1) {
    const name = args[index].replace(/^--/, '')
    if (args[index].startsWith('--') && name in settings) {
      index += 1
      settings[name] = Number(args[index])
      if (!Number.isSafeInteger(settings[name])) throw new Error(`--${name} is not a whole number`)
    } else sources.push(args[index])
  }
  return { ...settings, sources, tests: args.slice(at + 1) }
}

/** The values of tables of verdicts: each becomes the next one. */
const verdicts = ['prune', 'doubt', 'retry', 'busy', 'slow', 'refuse', 'setup']
const next = new Map(verdicts.map((one, at) => [one, verdicts[(at + 1) % verdicts.length]]))

const operators = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>', '&&': '||' },
  ...{ '||': '&&', '??': '&&', '+': '-', '-': '+', '*': '/', '+=': '-=', '-=': '+=' },
}

/** The patterns of code without its comments and texts, and their replacements. */
const faultKinds = [
  [/ (===|!==|<=|>=|<|>|&&|\|\||\?\?|\+|-|\*|\+=|-=) /g, (found) => ` ${operators[found.trim()]} `],
  [/(?<=[(\s,[{])!(?=[\w(])/g, () => ''],
  [/\bif \((?!!)/g, (found) => `${found}false && `],
  [/(?<=(?:return|=|\?|:) )(true|false)\b(?!,? *\|)/g, (found) => String(found !== 'true')],
  [/(?<=[-+*/%<>=(,] ?)\d[\d_]*(?![\w.])/g, (found) => `(${found} + 1)`],
]

/** Comments, texts, patterns, types and imports as blanks, so that places still count. */
function codeOf(text) {
  const aside = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|^import [\s\S]*?from '[^']*'|'(?:\\.|[^'\\\n])*'/gm
  const template = /`(?:\\.|[^`\\])*`/g
  const pattern = /(?<=[(=,:] ?)\/(?![/*])(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n])+\/\w*/g
  const types = /^(?:export )?type \w[\s\S]*?(?=\n\n|$(?![\s\S]))/gm
  return [aside, template, pattern, types].reduce(
    (code, one) => code.replace(one, (found) => found.replace(/[^\n]/g, ' ')),
    text,
  )
}

/** The faults of a file: what is to stand from `start` to `end`. */
function faultsOf(file, text) {
  const code = codeOf(text)
  const faults = faultKinds.flatMap(([pattern, replace]) =>
    [...code.matchAll(pattern)].map(({ 0: from, index: start }) => {
      return { file, start, end: start + from.length, from, to: replace(from) }
    }),
  )
  const values = [...text.matchAll(/(?<=: )'(\w+)'(?=,)/g)].flatMap((found) => {
    const to = next.get(found[1])
    const [from, start] = [found[0], found.index]
    return to ? [{ file, start, end: start + from.length, from, to: `'${to}'` }] : []
  })
  return [...faults, ...values].sort((one, other) => one.start - other.start)
}

/** So many of a list, chosen by the seed, in the list's order. */
function sample(list, most, seed) {
  const random = randomOf(seed)
  const places = list.map((_, at) => at)
  for (let at = 0; at < Math.min(most, places.length); at += 1) {
    const other = at + Math.floor(random() * (places.length - at))
    ;[places[at], places[other]] = [places[other], places[at]]
  }
  const chosen = places.slice(0, most).sort((one, other) => one - other)
  return chosen.map((at) => list[at])
}

/** Numbers from 0 to below 1 that follow from the seed: a linear congruence modulo 2^32. */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A reporter that ends the run at the first test that fails. */
const reporter = `data:text/javascript,${encodeURIComponent(`
  export default async function* (events) {
    for await (const { type, data } of events) {
      if (type === 'test:fail' && !data.todo) process.exit(1)
    }
    yield ''
  }
`)}`

/** The run of the tests that is under way: a group of processes of its own. */
let running

/** Ends with the run that is under way, and leaves no copy behind. */
function endWith(signal, copy) {
  process.once(signal, () => {
    if (running !== undefined) process.kill(-running.pid, 'SIGKILL')
    rmSync(copy, { recursive: true, force: true, maxRetries: 10 })
    process.kill(process.pid, signal)
  })
}

/** The result of the tests in the copy: `passed`, `failed` or `late`, and its seconds. */
function runTests(copy, tests, seconds) {
  const settings = ['--test', '--test-isolation=none', '--test-force-exit']
  const args = [...settings, `--test-reporter=${reporter}`, ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true })
  running = child
  const startedAt = performance.now()
  let late = false
  const timer = setTimeout(() => {
    late = true
    process.kill(-child.pid, 'SIGKILL')
  }, seconds * 1_000)
  return new Promise((done) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      running = undefined
      const end = code === 0 ? 'passed' : 'failed'
      done({ end: late ? 'late' : end, seconds: (performance.now() - startedAt) / 1_000 })
    })
  })
}

async function copyTree() {
  const copy = await mkdtemp(join(tmpdir(), 'millrace-faults-'))
  const filter = (path) => !/[/\\](node_modules|\.git|\.millrace)$/.test(path)
  await cp(root, copy, { recursive: true, filter })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** @returns whether the fault survived. */
async function plant(copy, fault, { tests, seconds }) {
  const path = join(copy, fault.file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.slice(0, fault.start) + fault.to + text.slice(fault.end))
  const { end } = await runTests(copy, tests, seconds)
  await writeFile(path, text)
  const line = text.slice(0, fault.start).split('\n').length
  const verdict = { passed: 'SURVIVED', failed: 'killed  ', late: 'too late' }[end]
  console.log(`${verdict} ${fault.file}:${line} ${fault.from} -> ${fault.to}`)
  return end === 'passed'
}

/** The seconds a run may take, unless they are given: of the tests without any fault. */
async function secondsOf(copy, { tests, seconds }) {
  const clean = await runTests(copy, tests, seconds ?? cleanSecondsMax)
  if (clean.end !== 'passed') return undefined
  console.log(`without a fault the tests take ${clean.seconds.toFixed(1)} s`)
  return seconds ?? Math.ceil(clean.seconds * 3)
}

const cleanSecondsMax = 600
const options = readArguments(process.argv.slice(2))
const copy = await copyTree()
for (const signal of ['SIGINT', 'SIGTERM']) endWith(signal, copy)
try {
  const found = await Promise.all(
    options.sources.map(async (file) => faultsOf(file, await readFile(join(root, file), 'utf8'))),
  )
  const faults = sample(found.flat(), options.most, options.seed)
  console.log(`${faults.length} of ${found.flat().length} faults, --seed ${options.seed}`)
  const seconds = await secondsOf(copy, options)
  if (seconds === undefined) {
    console.error('the tests fail, or take too long, without any fault')
    process.exitCode = 2
  } else {
    let survivors = 0
    for (const fault of faults) {
      survivors += (await plant(copy, fault, { ...options, seconds })) ? 1 : 0
    }
    console.log(`${faults.length - survivors} of ${faults.length} faults killed`)
    process.exitCode = survivors === 0 ? 0 : 1
  }
} finally {
  await rm(copy, { recursive: true, force: true })
}
