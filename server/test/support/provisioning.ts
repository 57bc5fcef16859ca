import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Database } from '../../src/database/index.ts'
import { createEventLog, type Entry, type EventLog } from '../../src/eventlog/index.ts'
import { createHosts } from '../../src/hosts/index.ts'
import {
  type Clock,
  createLogger,
  type ErrorCode,
  Fault,
  systemRandom,
} from '../../src/kernel/index.ts'
import { createOutbound } from '../../src/outbound/index.ts'
import {
  type Connector,
  createProvisioning,
  type NewConnector,
  type Provisioning,
  valueEffects,
} from '../../src/provisioning/index.ts'
import { testDatabase } from './database.ts'
import { atEnd } from './ends.ts'
import { testSecrets } from './secrets.ts'

/** A clock that stands still until the test moves it. */
export type HandClock = Clock & { us: number }

export function handClock(us = 1_700_000_000_000_000): HandClock {
  return {
    us,
    nowUs() {
      return this.us
    },
    nowMs() {
      return Math.floor(this.us / 1_000)
    },
    elapsedMs() {
      return Math.floor(this.us / 1_000)
    },
  }
}

export type World = {
  readonly database: Database
  readonly clock: HandClock
  readonly eventlog: EventLog
  readonly provisioning: Provisioning
  /** A connector of business `b1`. */
  connector(input?: NewConnector): Promise<Connector>
  /** The log's entries, oldest first. */
  entries(): Promise<Pick<Entry, 'identity' | 'kind' | 'body' | 'businessId'>[]>
  /** The module once more, as another process on the same database has it. */
  another(): Provisioning
}

export async function openWorld(t: Pick<TestContext, 'after'>): Promise<World> {
  const database = await testDatabase(t)
  const clock = handClock()
  const logger = createLogger('silent')
  const eventlog = createEventLog({ database, clock, logger, effects: valueEffects })
  atEnd(t, () => eventlog.close())
  const outbound = createOutbound({ allow: ['127.0.0.1:*'], logger })
  atEnd(t, () => outbound.close())

  function another(): Provisioning {
    const made = createProvisioning({
      ...{ database, eventlog, outbound, clock, random: systemRandom, logger },
      hosts: createHosts({ database, clock, logger, reserved: [] }),
      secrets: testSecrets(),
    })
    atEnd(t, () => made.close())
    return made
  }

  const provisioning = another()
  return {
    ...{ database, clock, eventlog, provisioning, another },
    connector: (input) => provisioning.connectors.create('b1', { name: 'Line 1', ...input }),
    entries: () =>
      database.rows(
        `select identity, kind, body, business_id as "businessId"
         from eventlog_entry order by at, part, seq`,
      ),
  }
}

export const overTls = { ip: '10.0.0.7', protocol: 'https', encrypted: true }
export const overPlain = { ip: '10.0.0.7', protocol: 'http', encrypted: false }

/** Checks that something is refused with a code, and where `says` is given with a sentence. */
export async function refuses(
  code: ErrorCode,
  act: () => unknown,
  says?: RegExp | string,
): Promise<void> {
  await assert.rejects(
    async () => act(),
    (error: unknown) => {
      assert(error instanceof Fault, `not a Fault: ${error}`)
      assert.equal(error.code, code, error.detail)
      if (says instanceof RegExp) assert.match(error.detail, says)
      else if (says !== undefined) assert.ok(error.detail.includes(says), error.detail)
      return true
    },
  )
}
