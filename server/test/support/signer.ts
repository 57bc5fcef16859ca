import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Database } from '../../src/database/index.ts'
import { createLogger, systemRandom } from '../../src/kernel/index.ts'
import { createOutbound } from '../../src/outbound/index.ts'
import {
  type Authorities,
  createAuthorities,
  createSigner,
  openSecrets,
  type Signer,
} from '../../src/provisioning/index.ts'
import { testDatabase } from './database.ts'
import { atEnd } from './ends.ts'
import { type HandClock, handClock } from './provisioning.ts'

export type SigningWorld = {
  readonly database: Database
  readonly clock: HandClock
  readonly authorities: Authorities
  readonly signer: Signer
}

/** Signing on a database of its own, with a clock that starts now and is moved by hand. */
export async function openSigning(t: Pick<TestContext, 'after'>): Promise<SigningWorld> {
  const database = await testDatabase(t)
  const dir = mkdtempSync(join(tmpdir(), 'millrace-signing-'))
  atEnd(t, () => rmSync(dir, { recursive: true, force: true }))
  const clock = handClock(Date.now() * 1_000)
  const random = systemRandom
  const secrets = openSecrets({ dir, random })
  const outbound = createOutbound({ allow: ['127.0.0.1:*'], logger: createLogger('silent') })
  atEnd(t, () => outbound.close())
  const authorities = createAuthorities({ database, secrets, clock, random })
  return { database, clock, authorities, signer: createSigner({ authorities, outbound, clock }) }
}
