import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../../../config.ts'
import { applyLimits, createLogger, Fault } from '../../../kernel/index.ts'
import { readLimits } from '../../../limit-settings.ts'
import { openPlatform, serve } from '../../../main.ts'
import type { Platform, Served, WaysOut } from '../../../platform.ts'

/** An instance of its own, with an engine of its own, in a folder that is gone with it. */
export type ThrowAway = {
  readonly platform: Platform
  readonly served: Served
  close(): Promise<void>
}

/** The engine's user, who is not root, must be able to pass through. */
const passThrough = 0o711

export type ThrowAwayOptions = {
  readonly allowOutbound: boolean
  /** Supplies the log level, the allowed private addresses and the limits; nothing else. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called before its engine starts. */
  readonly opening: (config: Config) => void
}

/** Nothing of it is where the user's own instance is: folder, database and ports are others. */
export async function openThrowAway(options: ThrowAwayOptions): Promise<ThrowAway> {
  const dir = await mkdtemp(join(tmpdir(), 'millrace-solution-test-'))
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 20 })
  try {
    await chmod(dir, passThrough)
    const platform = await openIn(dir, options)
    const served = await serve(platform).catch(async (error) => {
      await platform.close()
      throw error
    })
    return { platform, served, close: () => served.close().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

function openIn(dir: string, options: ThrowAwayOptions): Promise<Platform> {
  const { allowOutbound, environment } = options
  const { MILLRACE_LOG = 'silent', MILLRACE_OUTBOUND_ALLOW = '' } = environment
  const free = '127.0.0.1:0'
  const settings = {
    MILLRACE_HTTP: free,
    MILLRACE_DEVICE_TLS: free,
    MILLRACE_MQTT_TLS: 'off',
    MILLRACE_DEMO: 'off',
    MILLRACE_LOG,
    ...(allowOutbound ? { MILLRACE_OUTBOUND_ALLOW } : {}),
  }
  const config = readConfig(settings, dir)
  applyLimits(readLimits(environment, process.cwd()))
  const logger = createLogger(config.logLevel)
  options.opening(config)
  const ways = allowOutbound ? {} : { waysOut: closedWays }
  return openPlatform({ config, logger, owner: true, ...ways })
}

const closed = {
  call: () => {
    const hint = 'fake("Http", …) answers in its place, --allow-outbound opens the way'
    throw new Fault('address_refused', `A test does not call out: ${hint}.`)
  },
  close: async () => {},
}

/** A test that calls other services depends on them, and may change them. */
const closedWays: WaysOut = { outbound: closed, http2: closed }
