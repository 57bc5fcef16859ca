import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatLimit, type LimitName } from '../../server/src/foundation/kernel/index.ts'

const root = join(import.meta.dirname, '../..')

/** Names that the values of limits are written with. */
const units = {
  kib: 1_024,
  mib: 1_024 ** 2,
  gib: 1_024 ** 3,
  minuteMs: 60_000,
  hourMs: 3_600_000,
  dayMs: 86_400_000,
}

type Fixed = { readonly value: number; readonly meaning: string }

/** A constant with a comment: in a table of limits, or alone in the file that it guards. */
const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n */
const name = /(?:export )?(?:const )?([a-z]\w*)(?: = |: )/
const product = /(?:guard|standard|stored)?\(?([\w *.]+)\)?(?:,|\n| as )/
const constant = new RegExp(comment.source + name.source + product.source, 'g')

/** The text of a comment in one line. */
export function joinComment(comment: string): string {
  return comment.replace(/\s*\n\s*\*?\s*/g, ' ').trim()
}

/** The rows of the limits that pages name and no operator sets. */
export function fixedLimitRows(settable: ReadonlySet<string>): string {
  const found = readConstants()
  const named = [...new Set(namesInPages())].filter((name) => !settable.has(name)).sort()
  const rows = named.map((name) => {
    const one = found.get(name)
    return (
      one && `| \`${name}\` | ${formatLimit(name as LimitName, one.value)} | ${one.meaning} |\n`
    )
  })
  return rows.join('')
}

function namesInPages(): string[] {
  const pages = ['concepts', 'using', 'operating', 'reference', 'internals'].flatMap((folder) =>
    globSync(`docs/${folder}/*.md`, { cwd: root }),
  )
  const others = pages.filter((page) => !page.endsWith('reference/limits.md'))
  return others.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(
      ([, name = '']) => name,
    ),
  )
}

function readConstants(): ReadonlyMap<string, Fixed> {
  const files = globSync('server/src/**/*.ts', {
    cwd: root,
    exclude: (name) => /\.test\.ts$/.test(name),
  })
  const all = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(constant),
  ])
  const limits = all.flatMap(([, about = '', name = '', text = '']) => {
    const value = evaluate(text)
    const meaning = joinComment(about).replace(/\[([^\]]*)\]\(#[^)]*\)/g, '$1')
    return value === undefined ? [] : [[name, { value, meaning }] as const]
  })
  return new Map(limits)
}

/** The value of a product of numbers and units; undefined for any other text. */
function evaluate(text: string): number | undefined {
  const factors = text.split('*').map((part) => {
    const word = part.trim()
    if (/^\d[\d_]*(?:\.\d+)?$/.test(word)) return Number(word.replaceAll('_', ''))
    return units[word as keyof typeof units]
  })
  return factors.reduce<number | undefined>(
    (product, factor) =>
      product === undefined || factor === undefined ? undefined : product * factor,
    1,
  )
}
