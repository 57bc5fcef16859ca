import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Invocation } from '@millrace/cli/invocation'
import { endEngineNow, openTemporaryDatabase } from '../../../foundation/database/index.ts'
import {
  applyLimits,
  createLogger,
  type Logger,
  readFromWire,
  showOnWire,
  wireSchema,
} from '../../../foundation/kernel/index.ts'
import { openPlatform, serve } from '../../../main.ts'
import {
  createTestSchema,
  type OpenInstance,
  type TestInput,
  TestRun,
  testResultSchema,
} from '../../../scripts/solution-tests/index.ts'
import { openTemporary } from '../../composition/temporary-instances.ts'
import { type Config, readConfig, readLimits } from '../../config/index.ts'

type TestInvocation = Pick<Invocation, 'env' | 'folder' | 'signal'>

/**
 * Runs tests on an instance of their own: with an embedded engine in a temporary folder, or in a
 * temporary database of the server of DATABASE_URL. Nothing is left of it at the end, nor after
 * the signal.
 */
export async function* testSolution(
  body: unknown,
  invocation: TestInvocation,
): AsyncGenerator<unknown> {
  const { env, folder, signal } = invocation
  applyLimits(readLimits(env, resolve(folder)))
  const config = ownConfig(invocation)
  const logger = createLogger(config.logLevel)
  const run = new TestRun(readFromWire(wireSchema(createTestSchema()), body) as TestInput, logger)
  const stop = () => run.stop()
  signal.addEventListener('abort', stop)
  try {
    await run.open(
      (options) => openHere(options, { logger, temporary: env.TMPDIR ?? tmpdir(), ...config }),
      Date.now(),
    )
    for await (const result of run.results()) yield showOnWire(wireSchema(testResultSchema), result)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Nothing else of the environment counts: it is that of the user's own instance. */
function ownConfig({ env, folder }: TestInvocation): Config {
  const { MILLRACE_LOG = 'silent', MILLRACE_OUTBOUND_ALLOW, DATABASE_URL } = env
  return readConfig({ MILLRACE_LOG, MILLRACE_OUTBOUND_ALLOW, DATABASE_URL }, resolve(folder))
}

/** The settings of an instance here, and the folder of its folder. */
type Here = Config & { readonly logger: Logger; readonly temporary: string }

/** The engine's user, who is not root, must be able to pass through. */
const passThrough = 0o711

async function openHere(
  { expiresAtMs, allowOutbound }: Parameters<OpenInstance>[0],
  { logger, temporary, logLevel, outboundAllow, databaseUrl: url }: Here,
): ReturnType<OpenInstance> {
  const expiry = { nowMs: Date.now(), expiresAtMs }
  const database =
    url === undefined ? undefined : await openTemporaryDatabase({ url, logger, ...expiry })
  const dir = await mkdtemp(join(temporary, 'millrace-solution-test-'))
  await chmod(dir, passThrough)
  const endAtOnce = () => endNow(dir)
  process.once('exit', endAtOnce)
  const instance = await openTemporary(
    { openPlatform, serve },
    {
      dir,
      database,
      logger,
      logLevel,
      outboundAllow: allowOutbound ? outboundAllow : undefined,
    },
  )
  const close = () => instance.close().finally(() => process.off('exit', endAtOnce))
  return { ...instance, close }
}

/** A second Ctrl-C ends the process, and nothing can be awaited any more. */
function endNow(dir: string): void {
  endEngineNow(dir)
  rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
