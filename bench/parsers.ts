import { parseModifiedSince } from '../server/src/connector/date.ts'
import { parseAliases, parseForm } from '../server/src/connector/form.ts'
import { Frames } from '../server/src/connector/mqtt/frames.ts'
import { parseRange } from '../server/src/connector/range.ts'
import { formFields, limits, parseJson } from '../server/src/kernel/index.ts'
import { machine, median, table, tell, twoPlaces } from './support/figures.ts'

/** What the worst input costs a parser that reads what anybody may send, accepted or refused. */
type Case = readonly [name: string, input: string | Buffer, parse: () => unknown]

const rounds = 50
const usPerMs = 1_000

function attempt(parse: () => unknown): void {
  try {
    parse()
  } catch {
    // What is refused costs, too.
  }
}

const fill = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length))
const { activationBodyBytesMax, formFieldsMax, headerBytesMax, signInBodyBytesMax } = limits
const activations = ['a&', '%41=%41&', '\n', '%c3'].map((piece): Case => {
  const body = Buffer.from(`${fill(piece, activationBodyBytesMax - 1)}x`)
  return [`activation, ${JSON.stringify(piece)}`, body, () => parseForm(body, formFieldsMax)]
})
const query = fill('a&', headerBytesMax)
const blanks = `bytes=${fill(' ', headerBytesMax)}x`
const deep = fill('[', signInBodyBytesMax)
const wide = `[${fill('[],', signInBodyBytesMax)}0]`
const receipt = fill('a&', limits.notificationReceiptBytesMax)
const control = Buffer.from(fill('\xc0\x00', limits.mqttControlBytesMax), 'latin1')
const connect = Buffer.from([0x10, 0x02, 0x00, 0x00])
const cases: readonly Case[] = [
  ...activations,
  ['query of a read', query, () => parseAliases(query, limits.aliasesPerRequestMax)],
  ['Range', blanks, () => parseRange(blanks, 1)],
  ['If-Modified-Since', blanks, () => parseModifiedSince(blanks)],
  ['sign-in, deep', deep, () => parseJson(deep)],
  ['sign-in, wide', wide, () => parseJson(wide)],
  ['receipt', receipt, () => formFields(receipt, formFieldsMax)],
  [
    'MQTT, pings',
    control,
    () => {
      const frames = new Frames()
      frames.take(connect)
      frames.take(control)
    },
  ],
]

const rows = cases.map(([name, input, parse]) => {
  const costs = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    attempt(parse)
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  const us = median(costs)
  return [
    name,
    String(input.length),
    twoPlaces(us / (input.length / 1024)),
    twoPlaces(us / usPerMs),
  ]
})
tell(`Worst inputs of parsers, median of ${rounds}; ${machine()}\n`)
tell(table([['parser', 'bytes', 'µs per KiB', 'ms in all'], ...rows]))
