import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { wholeView } from '../../src/people/groups/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { isLongForm, numbersAfter } from '../fixtures/bounds.ts'
import { testEngine } from '../fixtures/database.ts'
import { atEnd } from '../fixtures/ends.ts'
import { newWriter, type Writer } from '../fixtures/processes/kill-load.ts'
import { fullDisks, kills, otherEnds, rounds } from '../fixtures/processes/kill-rounds.ts'
import { killableInstance } from '../fixtures/processes/killable-instance.ts'
import { mayMount } from '../fixtures/processes/mounts.ts'
import { mayCutPower, powerCuts, withCutDisk } from '../fixtures/processes/power-cut.ts'

/**
 * A load of writes; the instance is ended at a random moment, or its clock set, or its disk filled;
 * a restart, again and again; everything is counted after each. More rounds, a fifth of them on a
 * disk that fills up, and a fifth on one whose power is cut:
 * `node server/test/faults/kill.test.ts 200`.
 */
const [asked] = numbersAfter('kill.test.ts')
/** Set in the process that this file starts on a disk of its own: what is done to it. */
const disks = { full: planOfFullDisk, cut: planOfPowerCuts }
const ownDisk = process.env.OWN_DISK as keyof typeof disks | undefined
const devices = 12

/** The writes of a device, and the signal that it feeds. */
type Fed = Writer & { readonly signalId: string }

type World = {
  readonly platform: Platform
  readonly businessId: string
  readonly connectorId: string
  readonly writers: readonly Fed[]
}

const ways = Object.entries(kills)
const others = Object.entries(otherEnds)
const plan = ownDisk === undefined ? planKills(asked) : disks[ownDisk](asked ?? 3)

/** Some kills, and then each of the other ways once, most of them kills, too; or all in turns. */
function planKills(count: number | undefined) {
  if (count !== undefined)
    return { turns: [...ways, ...others], count: count - 2 * countOnDisk(count) }
  const first = Array.from({ length: isLongForm ? 6 : 1 }, () => ways).flat()
  return { turns: [...first, ...others], count: first.length + others.length }
}

function countOnDisk(count: number): number {
  return Math.floor(count / 5)
}

/** Every other round fills the disk; what comes between takes turns. */
function planOfFullDisk(count: number) {
  const full = Object.entries(fullDisks)
  return { turns: [...ways, ...others].flatMap((way) => [...full, way]), count }
}

/** Every third round only ends the instance, so that the disk goes on. */
function planOfPowerCuts(count: number) {
  const cuts = Object.entries(powerCuts)
  return { turns: ways.flatMap((way) => [...cuts, ...cuts, way]), count }
}

it(`loses nothing and doubles nothing in ${plan.count} rounds`, async (t) => {
  const killable = await killableInstance(t)
  const { open } = killable
  const prepared = await prepare(open)
  const { writers } = prepared
  // Prepared data were copied, and are to outlast a cut.
  if (ownDisk === 'cut') execFileSync('sync')
  await rounds({
    killable,
    writers,
    ...plan,
    async check(round) {
      const platform = await open({ owner: false })
      try {
        await compare({ ...prepared, platform }, round)
      } finally {
        await platform.close()
      }
    },
  })
  const platform = await open()
  try {
    platform.scripting.start()
    platform.jobs.start()
    platform.pipelines.start()
    await Promise.all([platform.scripting.caughtUp(), platform.pipelines.caughtUp()])
    await count(t, { ...prepared, platform })
  } finally {
    await platform.close()
  }
})

const skip =
  (ownDisk !== undefined && 'this is on that disk') ||
  (testEngine === 'external' && 'it is about the disk of the embedded engine') ||
  (!mayMount() && 'only root on Linux can give an instance a disk of its own')

it('nor on a disk that fills up', { skip }, async (t) => {
  const folder = await diskFolder(t)
  const mounted = `mount -t tmpfs -o size=512m tmpfs ${folder} && TMPDIR=${folder} exec "$@"`
  await runOnDisk(t, 'full', (words) => ['--mount', 'sh', '-c', mounted, 'sh', ...words])
})

const noCut = !mayCutPower() && 'it takes mkfs.xfs, mkfs.ext4 and loop devices'

it('nor by power cuts', { skip: skip || noCut }, async (t) => {
  const folder = await diskFolder(t)
  await runOnDisk(t, 'cut', (words) => withCutDisk(folder, words))
})

async function diskFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-own-disk-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the rounds of this file in another process, whose temporary files are on the disk. */
async function runOnDisk(
  t: TestContext,
  kind: keyof typeof disks,
  mounting: (words: readonly string[]) => string[],
): Promise<void> {
  const count = asked === undefined ? [] : [String(countOnDisk(asked))]
  const env = { ...process.env, OWN_DISK: kind, NODE_TEST_CONTEXT: undefined }
  const child = spawn('unshare', mounting([process.execPath, import.meta.filename, ...count]), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, printed)
  t.diagnostic(/\d+ writes stored.*/.exec(printed)?.[0] ?? assert.fail(printed))
}

async function prepare(open: () => Promise<Platform>) {
  const platform = await open()
  const { accounts, provisioning, assets } = platform
  const business = await accounts.createBusiness({ name: 'Killed' })
  const connector = await provisioning.connectors.create(business.id, {
    name: 'killed',
    devmode: true,
    selfRegistration: true,
    resources: { n: { format: 'number' } },
  })
  const writers: Fed[] = []
  for (let at = 0; at < devices; at += 1) {
    const identity = `killed-${at}`
    const asset = await assets.create(wholeView(business.id), {
      name: identity,
      device: { connectorId: connector.id, identity },
      signals: [{ name: 'n', primitiveType: 'NUMERIC', source: { alias: 'n' } }],
    })
    const [signal] = await assets.signals.ofAssets(wholeView(business.id), [asset.id])
    const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
    const { token } = await provisioning.activate(connector, identity, origin)
    writers.push({ ...newWriter(identity, token), signalId: signal?.id ?? '' })
  }
  await platform.close()
  return { connectorId: connector.id, businessId: business.id, writers }
}

/**
 * Every acknowledged write is in the log once and in order, the ledger adds up, and the current
 * value of each device is the last one of the log, whatever the clock was.
 * @returns what the log has of each device.
 */
async function compare(fixture: World, round: string): Promise<ReadonlyMap<string, number[]>> {
  const { platform, businessId, connectorId, writers } = fixture
  const all = await loggedNumbers(platform, connectorId)
  for (const { identity, acknowledged } of writers) {
    const logged = all.get(identity) ?? []
    const found = new Set(logged)
    const lost = acknowledged.filter((value) => !found.has(value))
    assert.deepEqual(lost, [], `acknowledged, missing; ${round}`)
    assert.equal(found.size, logged.length, `in the log twice; ${round}`)
    const inOrder = logged.toSorted((a, b) => a - b)
    assert.deepEqual(logged, inOrder, `out of order; ${round}`)
    const { n } = await platform.provisioning.state(businessId, connectorId, identity)
    const current = n?.reported == null ? undefined : Number(n.reported)
    assert.equal(current, logged.at(-1), `the current value; ${round}`)
  }
  assert.deepEqual((await platform.eventlog.ledger.verify()).faults, [], round)
  return all
}

async function count(t: TestContext, fixture: World): Promise<void> {
  const { platform, businessId, writers } = fixture
  const all = await compare(fixture, 'at the end')
  for (const { identity, signalId } of writers) {
    const history = await wholeHistory(platform, businessId, signalId)
    // In order of their times, which a clock that was set makes another one than that of the log.
    const values = history.map(({ value }) => Number(value)).sort((a, b) => a - b)
    assert.deepEqual(values, all.get(identity), 'the values are what the log says')
  }
  const { stages } = await platform.eventlog.ledger.verify()
  for (const stage of stages) assert.equal(stage.pending, 0, stage.stage)
  const handed = (name: string) => stages.find(({ stage }) => stage === name)?.done
  assert.equal(handed('scripts'), handed('log'), 'every entry was offered to scripts')
  const total = writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  const stored = [...all.values()].reduce((sum, { length }) => sum + length, 0)
  assert.ok(total > plan.count, `only ${total} writes were acknowledged`)
  t.diagnostic(
    `${stored} writes stored on the ${testEngine} engine, ${total} of them acknowledged, in ` +
      `${plan.count} rounds; none missing or doubled`,
  )
}

/** A page at a time: hundreds of rounds write more values than one has. */
async function wholeHistory({ assets }: Platform, businessId: string, signalId: string) {
  const all = []
  for (let from = 0; ; ) {
    const page = await assets.history(wholeView(businessId), signalId, {
      order: 'asc',
      limit: 10_000,
      from,
    })
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined) return all
    from = last.ts + 1
  }
}

/** Reads the log's numbers of each device, in its order. */
async function loggedNumbers(platform: Platform, connectorId: string) {
  const rows = await platform.database.rows<{ identity: string; body: string }>(
    `select identity, body from eventlog_entry
     where connector_id = $1 and kind = 'write' order by part, seq`,
    [connectorId],
  )
  const numbers = new Map<string, number[]>()
  for (const { identity, body } of rows) {
    const n = Number(JSON.parse(body).payload[0].values.n)
    numbers.set(identity, [...(numbers.get(identity) ?? []), n])
  }
  return numbers
}
