import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineBench, type Start } from './support/frame/bench.ts'
import type { Address } from './support/frame/engines.ts'
import {
  onePlace,
  print,
  ratios,
  spread,
  table,
  twoPlaces,
  whole,
} from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { openPgTools, pgRestore } from './support/peers/pg-tools.ts'
import type { Copied, Copying } from './support/platform/backup.ts'
import type { Filling } from './support/platform/filling.ts'

/**
 * Backup and restore of a database with many values, beside pg_dump and pg_restore of the same one.
 * COPY of all tables by psql, to nowhere, is the limit. Also at a tenth of the values: the memory
 * of a process that backs up or restores must not grow with them.
 */
const mebibyte = 1_048_576
const noDump = 'there is no pg_dump of the version of this server'

/** A round at one size. Seconds, bytes of files, MiB of memory. */
type Round = {
  readonly backup: Copied
  readonly restore: Copied
  readonly bytes: number
  readonly copySeconds: number
  /** Missing without the programs. */
  readonly dump?: { readonly seconds: number; readonly bytes: number; readonly restore: number }
}

export const bench = defineBench({
  name: 'backup',
  title: ({ values, rounds }) =>
    `Backup and restore of ${whole(values)} values, and of a tenth of them, ${rounds} rounds`,
  options: { values: 300_000, rounds: 3 },
  goals: {
    backup: { subject: 'values backed up', unit: 'of pg_dump', atLeast: 1 },
    copied: { subject: 'values backed up', unit: 'of COPY to nowhere' },
    restore: { subject: 'values restored', unit: 'of pg_restore', atLeast: 0.5 },
    bytes: { subject: 'bytes of a backup', unit: "of pg_dump's", atMost: 1 },
    memory: {
      subject: 'peak memory of a backup',
      unit: 'of that with a tenth of the values',
      atMost: 1.25,
    },
    restoreMemory: {
      subject: 'peak memory of a restore',
      unit: 'of that with a tenth of the values',
      atMost: 1.25,
    },
  },
  async measure({ given: { values, rounds }, start, database, record }) {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-files-'))
    try {
      const sizes = [Math.ceil(values / 10), values]
      const filled: Address[] = []
      for (const size of sizes) filled.push(await fill(start, await database(), size))
      const measured: Round[][] = sizes.map(() => [])
      for (let round = 0; round < rounds; round += 1) {
        for (const [at, address] of filled.entries()) {
          measured[at]?.push(await measureRound({ start, database, folder, address, round }))
        }
      }
      const [few = [], all = []] = measured
      report(sizes, measured)
      recordAll(record, values, few, all)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

async function fill(start: Start, address: Address, values: number): Promise<Address> {
  const child = start('platform/filling')
  const bytes = await child.ask<number>('fill', { address, values } satisfies Filling)
  await child.stop()
  print(`${whole(values)} values take ${whole(bytes / mebibyte)} MiB of tables`)
  return address
}

type Place = {
  readonly start: Start
  readonly database: () => Promise<Address>
  readonly folder: string
  readonly address: Address
  readonly round: number
}

/** Ours first in every other round. */
async function measureRound({ start, database, folder, address, round }: Place): Promise<Round> {
  const file = join(folder, 'backup.tar')
  const dumpFile = join(folder, 'dump')
  const ask = async (question: string, copying: Copying) => {
    const child = start('platform/backup')
    return child.ask<Copied>(question, copying).finally(() => child.stop())
  }
  const ours = async () => ({
    backup: await ask('backUp', { address, file }),
    restore: await ask('restore', { address: await database(), file }),
  })
  const tools = await openPgTools(address)
  const theirs = async () => {
    const copySeconds = await tools.copy()
    if (tools.dump === undefined) return { copySeconds }
    const seconds = await tools.dump(dumpFile)
    const restore = await pgRestore(await database(), dumpFile)
    return { copySeconds, dump: { seconds, restore, bytes: (await stat(dumpFile)).size } }
  }
  try {
    const first = round % 2 === 0 ? await ours() : undefined
    const peer = await theirs()
    const own = first ?? (await ours())
    if (own.backup.rows !== own.restore.rows) throw new Error('not all rows were restored')
    return { ...own, ...peer, bytes: (await stat(file)).size }
  } finally {
    await tools.close()
    await rm(file, { force: true })
    await rm(dumpFile, { force: true })
  }
}

const pickNumbers = (rounds: readonly Round[], number: (round: Round) => number | undefined) =>
  rounds.map((round) => number(round) ?? Number.NaN)

function report(sizes: readonly number[], measured: readonly (readonly Round[])[]): void {
  const cell = (numbers: readonly number[], format: (one: number) => string) =>
    numbers.some(Number.isNaN) ? '' : spread(numbers, format)
  for (const [at, rounds] of measured.entries()) {
    const of = (number: (round: Round) => number | undefined) => pickNumbers(rounds, number)
    const line = (
      name: string,
      side: (one: Round) => Partial<Copied> | undefined,
      bytes: (one: Round) => number | undefined,
    ) => {
      const seconds = of((one) => side(one)?.seconds)
      const isBackup = !/restore/.test(name)
      const peer = of((one) => (isBackup ? one.dump?.seconds : one.dump?.restore))
      const file = of(bytes).map((one) => one / mebibyte)
      return [
        name,
        cell(seconds, twoPlaces),
        cell(ratios(peer, seconds), twoPlaces),
        cell(
          of((one) => side(one)?.cpuSeconds),
          twoPlaces,
        ),
        cell(
          of((one) => side(one)?.peakMib),
          whole,
        ),
        cell(file, onePlace),
      ]
    }
    const none = () => undefined
    print(`\n${whole(sizes[at] ?? 0)} values`)
    const head = ['', 'seconds', 'of the peer', 'Node CPU s', 'peak RSS MiB', 'file MiB']
    print(
      table([
        head,
        line(
          'backup',
          ({ backup }) => backup,
          ({ bytes }) => bytes,
        ),
        line(
          'pg_dump',
          ({ dump }) => dump,
          ({ dump }) => dump?.bytes,
        ),
        line('COPY to nowhere', ({ copySeconds }) => ({ seconds: copySeconds }), none),
        line('restore', ({ restore }) => restore, none),
        line('pg_restore', ({ dump }) => dump && { seconds: dump.restore }, none),
      ]),
    )
  }
}

type Record = Parameters<typeof bench.measure>[0]['record']

function recordAll(
  record: Record,
  values: number,
  few: readonly Round[],
  all: readonly Round[],
): void {
  const rates = (number: (round: Round) => number | undefined) =>
    pickNumbers(all, number).map((seconds) => values / seconds)
  const backedUp = rates(({ backup }) => backup.seconds)
  const copied = rates(({ copySeconds }) => copySeconds)
  const limit = { name: 'COPY by psql', perSecond: copied }
  record('copied', { figure: ratios(backedUp, copied), perSecond: backedUp, limit })
  const peaks = (of: readonly Round[], side: 'backup' | 'restore') =>
    pickNumbers(of, (round) => round[side].peakMib)
  record('memory', { figure: ratios(peaks(all, 'backup'), peaks(few, 'backup')) })
  record('restoreMemory', { figure: ratios(peaks(all, 'restore'), peaks(few, 'restore')) })
  if (all.some(({ dump }) => dump === undefined)) {
    for (const goal of ['backup', 'restore', 'bytes'] as const) record(goal, noDump)
    return
  }
  const dumped = rates(({ dump }) => dump?.seconds)
  const peer = { name: 'pg_dump', perSecond: dumped }
  record('backup', { figure: ratios(backedUp, dumped), perSecond: backedUp, peer })
  const restored = rates(({ restore }) => restore.seconds)
  const peerRestored = rates(({ dump }) => dump?.restore)
  record('restore', {
    figure: ratios(restored, peerRestored),
    perSecond: restored,
    peer: { name: 'pg_restore', perSecond: peerRestored },
  })
  const bytes = pickNumbers(all, (round) => round.bytes)
  record('bytes', {
    figure: ratios(
      bytes,
      pickNumbers(all, ({ dump }) => dump?.bytes),
    ),
  })
}

if (import.meta.main) await runBench(bench)
