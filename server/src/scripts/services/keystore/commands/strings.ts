import { exactText, Fault, type Json } from '../../../../foundation/kernel/index.ts'
import { expectKind, type KeyEntry } from '../entry.ts'
import {
  type Args,
  asInteger,
  asNumber,
  type KeyCommand,
  type KeyCommandResult,
  seen,
} from './command.ts'

const secondUs = 1_000_000
const millisecondUs = 1_000

export const strings: Readonly<Record<string, KeyCommand>> = {
  get(entry, args) {
    args.end()
    return seen(entry, expectKind(entry, 'string')?.value)
  },
  set(entry, args, now) {
    const value = args.value('value')
    const { expiresAt, only } = setOptions(args, now)
    if (only === 'NX' && entry !== undefined) return seen(entry, null)
    if (only === 'XX' && entry === undefined) return seen(entry, null)
    return { after: { kind: 'string', value, expiresAt }, value: 'OK' }
  },
  /** Existing scripts compare the answer with a text. */
  setnx(entry, args) {
    const value = args.value('value')
    args.end()
    if (entry !== undefined) return seen(entry, '0')
    return { after: { kind: 'string', value, expiresAt: undefined }, value: '1' }
  },
  setex: (_entry, args, now) => setFor(args, now, secondUs),
  psetex: (_entry, args, now) => setFor(args, now, millisecondUs),
  getrange(entry, args) {
    const [start, stop] = [args.integer('start'), args.integer('stop')]
    args.end()
    const bytes = Buffer.from(getText(entry))
    const from = start < 0 ? Math.max(0, bytes.length + start) : start
    const to = stop < 0 ? bytes.length + stop : stop
    return seen(entry, exactText(bytes.subarray(from, Math.max(from, to + 1))))
  },
  getset(entry, args) {
    const value = args.value('value')
    args.end()
    const before = expectKind(entry, 'string')?.value
    return { after: { kind: 'string', value, expiresAt: undefined }, value: before }
  },
  incr: (entry, args) => {
    args.end()
    return add(entry, 1)
  },
  decr: (entry, args) => {
    args.end()
    return add(entry, -1)
  },
  incrby: (entry, args) => add(entry, onlyInteger(args)),
  decrby: (entry, args) => add(entry, -onlyInteger(args)),
  incrbyfloat(entry, args) {
    const by = args.number('increment')
    args.end()
    const value = (asNumber(expectKind(entry, 'string')?.value ?? 0) ?? Number.NaN) + by
    if (!Number.isFinite(value)) throw new Fault('invalid_argument', 'the value is not a number')
    return { after: { kind: 'string', value, expiresAt: entry?.expiresAt }, value }
  },
  append(entry, args) {
    const added = args.name('value')
    args.end()
    const text = getText(entry) + added
    return {
      after: { kind: 'string', value: text, expiresAt: entry?.expiresAt },
      value: Buffer.byteLength(text),
    }
  },
  strlen(entry, args) {
    args.end()
    return seen(entry, Buffer.byteLength(getText(entry)))
  },
}

function onlyInteger(args: Args): number {
  const number = args.integer('increment')
  args.end()
  return number
}

/** The time, then the value. */
function setFor(args: Args, now: number, unitUs: number): KeyCommandResult {
  const expiresAt = now + positive(args) * unitUs
  const value = args.value('value')
  args.end()
  return { after: { kind: 'string', value, expiresAt }, value: 'OK' }
}

function setOptions(args: Args, now: number) {
  let expiresAt: number | undefined
  let only: 'NX' | 'XX' | undefined
  while (args.left > 0) {
    const option = args.name('option').toUpperCase()
    if (option === 'EX') expiresAt = now + positive(args) * secondUs
    else if (option === 'PX') expiresAt = now + positive(args) * millisecondUs
    else if (option === 'NX' || option === 'XX') only = option
    else throw new Fault('invalid_argument', `set: the option ${option} is not EX, PX, NX or XX`)
  }
  return { expiresAt, only }
}

function positive(args: Args): number {
  const time = args.integer('time')
  if (time > 0 && Number.isSafeInteger(time * secondUs * 2)) return time
  throw new Fault('invalid_argument', 'set: the time must be above 0')
}

function add(entry: KeyEntry | undefined, by: number): KeyCommandResult {
  const held = expectKind(entry, 'string')
  const before = held === undefined ? 0 : asInteger(held.value)
  const value = before === undefined ? Number.NaN : before + by
  if (!Number.isSafeInteger(value)) {
    throw new Fault('invalid_argument', 'the value is not a whole number, or is out of range')
  }
  return { after: { kind: 'string', value, expiresAt: entry?.expiresAt }, value }
}

/** Returns the key's value as text. */
function getText(entry: KeyEntry | undefined): string {
  const value: Json | Uint8Array | undefined = expectKind(entry, 'string')?.value
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new Fault('invalid_argument', 'the value is not a string')
}
