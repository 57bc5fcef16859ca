// Plants one fault at a time in a copy of the tree, runs tests on it, and prints which ones they
// notice.
//
//   node dev/plant-faults.mjs --most 40 --seed 7 --seconds 120 <source files> -- <test files>
//   node dev/plant-faults.mjs --list [--only <part of an entry>]
//
// A sampled fault is a changed operator, condition, constant or verdict of a table. A run of the
// tests that fails or takes too long has killed it; the run ends at its first failure. --seed
// chooses the sample, which is the same for the same seed and sources. Without --seconds a run may
// take three times as long as one without any fault.
//
// --list plants the faults of planted-faults.json instead, each with the tests that it names. Only
// a failing test has killed such a fault: a tree that does not start proves nothing.
//
// Both end with 1 if any fault survived, and with 2 if the tests fail without one.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

const usage = `usage:
  plant-faults [--most N] [--seed N] [--seconds N] <sources> -- <tests>
  plant-faults --list [--only TEXT]`

function readArguments(args) {
  if (args[0] === '--list') {
    if (args.length !== 1 && (args.length !== 3 || args[1] !== '--only')) throw new Error(usage)
    return { list: true, only: args[2] ?? '' }
  }
  const at = args.indexOf('--')
  if (at < 0) throw new Error(usage)
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
function blankAside(text) {
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
function findFaults(file, text) {
  const code = blankAside(text)
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
  const random = makeRandom(seed)
  const places = list.map((_, at) => at)
  for (let at = 0; at < Math.min(most, places.length); at += 1) {
    const other = at + Math.floor(random() * (places.length - at))
    ;[places[at], places[other]] = [places[other], places[at]]
  }
  const chosen = places.slice(0, most).sort((one, other) => one - other)
  return chosen.map((at) => list[at])
}

/** Numbers from 0 to below 1 that follow from the seed: a linear congruence modulo 2^32. */
function makeRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A reporter that ends the run at the first test that fails; its name and error go to stream 3. */
const reporter = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  export default async function* (events) {
    for await (const { type, data } of events) {
      if (type !== 'test:fail' || data.todo) continue
      const { error } = data.details
      writeSync(3, data.name + '\\n' + (error.cause?.stack ?? error.message))
      process.exit(1)
    }
    yield ''
  }
`)}`

/** The runs of tests that are under way: each is a group of processes of its own. */
const running = new Set()

/** Ends with the runs that are under way, and leaves no copy behind. */
function endWith(signal, copies) {
  process.once(signal, () => {
    for (const { pid } of running) endGroup(pid)
    for (const copy of copies) rmSync(copy, { recursive: true, force: true, maxRetries: 10 })
    process.kill(process.pid, signal)
  })
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** The result of the tests in the copy: `passed`, `failed` at a test, `broken` or `late`. */
async function runTests(copy, tests, seconds) {
  const settings = ['--test', '--test-isolation=none', '--test-force-exit']
  const args = [...settings, `--test-reporter=${reporter}`, ...tests]
  // A run that ends at once leaves its databases behind.
  const temporary = join(copy, 'tmp')
  await mkdir(temporary)
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
  running.add(child)
  const startedAt = performance.now()
  let late = false
  const timer = setTimeout(() => {
    late = true
    endGroup(child.pid)
  }, seconds * 1_000)
  let failing = ''
  child.stdio[3].setEncoding('utf8').on('data', (text) => {
    failing += text
  })
  const code = await new Promise((done) => child.on('exit', done))
  clearTimeout(timer)
  endGroup(child.pid)
  running.delete(child)
  await rm(temporary, { recursive: true, force: true, maxRetries: 10 })
  const failed = failing === '' ? 'broken' : 'failed'
  const end = late ? 'late' : code === 0 ? 'passed' : failed
  return { end, failing, seconds: (performance.now() - startedAt) / 1_000 }
}

/** Adds a copy of the tree: the packages are those of the tree itself. */
async function copyTree(copies) {
  const copy = await mkdtemp(join(tmpdir(), 'millrace-faults-'))
  copies.push(copy)
  // The database runs as another user if root runs the tests.
  await chmod(copy, 0o711)
  const filter = (path) => !/[/\\](node_modules|\.git|\.millrace)$/.test(path)
  await cp(root, copy, { recursive: true, filter })
  const folders = await readdir(root, { withFileTypes: true })
  for (const name of ['.', ...folders.filter((one) => one.isDirectory()).map(({ name }) => name)]) {
    const packages = join(root, name, 'node_modules')
    if (existsSync(packages)) await symlink(packages, join(copy, name, 'node_modules'))
  }
}

/** Runs the tests on the copy with the fault, which is taken out again. */
async function plant(copy, fault, { tests, seconds }) {
  const path = join(copy, fault.file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.slice(0, fault.start) + fault.to + text.slice(fault.end))
  const result = await runTests(copy, tests, seconds)
  await writeFile(path, text)
  return { ...result, line: text.slice(0, fault.start).split('\n').length }
}

/** Plants one fault of a sample. @returns whether it survived. */
async function plantSampled(copy, fault, settings) {
  const { end, line } = await plant(copy, fault, settings)
  const verdicts = { passed: 'SURVIVED', failed: 'killed  ', broken: 'killed  ', late: 'too late' }
  console.log(`${verdicts[end]} ${fault.file}:${line} ${fault.from} -> ${fault.to}`)
  return end === 'passed'
}

/** The seconds a run may take, unless they are given: of the tests without any fault. */
async function measureSeconds(copy, { tests, seconds }) {
  const clean = await runTests(copy, tests, seconds ?? cleanSecondsMax)
  if (clean.end !== 'passed') return undefined
  console.log(`without a fault the tests take ${clean.seconds.toFixed(1)} s`)
  return seconds ?? Math.ceil(clean.seconds * 3)
}

/** @returns how many faults of the sample survived, or undefined if the tests fail without one. */
async function plantSample([copy], options) {
  const found = await Promise.all(
    options.sources.map(async (file) => findFaults(file, await readFile(join(root, file), 'utf8'))),
  )
  const faults = sample(found.flat(), options.most, options.seed)
  console.log(`${faults.length} of ${found.flat().length} faults, --seed ${options.seed}`)
  const seconds = await measureSeconds(copy, options)
  if (seconds === undefined) return undefined
  let survivors = 0
  for (const fault of faults) {
    survivors += (await plantSampled(copy, fault, { ...options, seconds })) ? 1 : 0
  }
  console.log(`${faults.length - survivors} of ${faults.length} faults killed`)
  return survivors
}

/** The entries of the list that contain the text. */
async function readList(only) {
  const entries = JSON.parse(
    await readFile(join(import.meta.dirname, 'planted-faults.json'), 'utf8'),
  )
  return entries.filter((entry) => JSON.stringify(entry).includes(only))
}

/** Works on each item in one of the copies, which take them side by side. */
async function share(copies, items, work) {
  const waiting = [...items]
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        await work(copy, item)
      }
    }),
  )
}

/** Runs all tests of the entries without any fault, some files at a time. */
async function passWithout(copies, entries) {
  const files = [...new Set(entries.flatMap(({ tests }) => tests))]
  const count = Math.ceil(files.length / cleanFilesMax)
  const groups = Array.from({ length: count }, (_, at) =>
    files.slice(at * cleanFilesMax, (at + 1) * cleanFilesMax),
  )
  let passed = true
  await share(copies, groups, async (copy, tests) => {
    const { end, failing } = await runTests(copy, tests, cleanSecondsMax)
    if (end === 'passed') return
    console.error(`without a fault: ${end} ${failing || tests.join(' ')}`)
    passed = false
  })
  return passed
}

/** Plants one fault of the list. @returns whether it survived. */
async function plantListed(copy, entry) {
  const text = await readFile(join(copy, entry.file), 'utf8')
  const parts = text.split(entry.from)
  if (parts.length !== 2) throw new Error(`${entry.file} contains "${entry.from}" not once`)
  const start = parts[0].length
  const fault = { ...entry, start, end: start + entry.from.length }
  const { end, failing, line, seconds } = await plant(copy, fault, {
    tests: entry.tests,
    seconds: listedSecondsMax,
  })
  const verdict = end === 'failed' ? 'killed  ' : `SURVIVED (${end})`
  const by = end === 'failed' ? ` [${failing.split('\n', 1)[0]}]` : ''
  console.log(`${verdict} ${seconds.toFixed(1)} s ${entry.file}:${line} ${entry.breaks}${by}`)
  return end !== 'failed'
}

/** @returns how many faults of the list survived, or undefined if the tests fail without one. */
async function plantList(copies, { only }) {
  const entries = await readList(only)
  if (!(await passWithout(copies, entries))) return undefined
  let survivors = 0
  await share(copies, entries, async (copy, entry) => {
    if (await plantListed(copy, entry)) survivors += 1
  })
  console.log(`${entries.length - survivors} of ${entries.length} faults killed`)
  return survivors
}

const cleanSecondsMax = 600
const cleanFilesMax = 12
const listedSecondsMax = 300
const options = readArguments(process.argv.slice(2))
const copies = []
for (const signal of ['SIGINT', 'SIGTERM']) endWith(signal, copies)
try {
  for (let count = 0; count < (options.list ? 2 : 1); count += 1) await copyTree(copies)
  const survivors = await (options.list ? plantList : plantSample)(copies, options)
  if (survivors === undefined) {
    console.error('the tests fail, or take too long, without any fault')
    process.exitCode = 2
  } else process.exitCode = survivors === 0 ? 0 : 1
} finally {
  for (const copy of copies) await rm(copy, { recursive: true, force: true })
}
