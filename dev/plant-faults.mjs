// Plants one fault at a time in a copy of the tree, runs tests on it, and prints which ones they
// notice.
//
//   node dev/plant-faults.mjs --most 40 --seconds 120 <source files> -- <test files>
//
// A fault is a changed operator, condition, constant or verdict of a table. A run of the tests that
// fails or takes too long has killed it. It ends with 1 if any fault survived.
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

function readArguments(args) {
  const at = args.indexOf('--')
  if (at < 0) throw new Error('usage: plant-faults [--most N] [--seconds N] <sources> -- <tests>')
  const settings = { most: 40, seconds: 120 }
  const sources = []
  for (let index = 0; index < at; index += 1) {
    const name = args[index].replace(/^--/, '')
    if (args[index].startsWith('--') && name in settings) {
      index += 1
      settings[name] = Number(args[index])
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

/** What is looked for in code without its comments and texts, and what stands in its place. */
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

/** So many of a list, spread evenly over it. */
function spread(list, most) {
  if (list.length <= most) return list
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)])
}

/** Whether the tests pass in the copy within the time. */
function passes(copy, tests, seconds) {
  const args = ['--test', '--test-isolation=none', '--test-reporter=dot', ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true })
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), seconds * 1_000)
  return new Promise((done) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      done(code === 0)
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

async function plant(copy, fault, { tests, seconds }) {
  const path = join(copy, fault.file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.slice(0, fault.start) + fault.to + text.slice(fault.end))
  const survived = await passes(copy, tests, seconds)
  await writeFile(path, text)
  const line = text.slice(0, fault.start).split('\n').length
  console.log(
    `${survived ? 'SURVIVED' : 'killed  '} ${fault.file}:${line} ${fault.from} -> ${fault.to}`,
  )
  return survived
}

const options = readArguments(process.argv.slice(2))
const copy = await copyTree()
try {
  if (!(await passes(copy, options.tests, options.seconds))) {
    throw new Error('the tests fail, or take too long, without any fault')
  }
  const found = await Promise.all(
    options.sources.map(async (file) => faultsOf(file, await readFile(join(root, file), 'utf8'))),
  )
  const faults = spread(found.flat(), options.most)
  let survivors = 0
  for (const fault of faults) survivors += (await plant(copy, fault, options)) ? 1 : 0
  console.log(`${faults.length - survivors} of ${faults.length} faults killed`)
  process.exitCode = survivors === 0 ? 0 : 1
} finally {
  await rm(copy, { recursive: true, force: true })
}
