import type { Secrets } from '../../devices/provisioning/index.ts'
import type { AgreedSetting } from '../../foundation/database/index.ts'
import type { Config } from '../config/index.ts'

const same = 'Give all processes the same value, or stop the others first.'

/** The settings in which all processes on one database must agree. */
export function agreedSettings(config: Config, secrets: Pick<Secrets, 'check'>): AgreedSetting[] {
  const lists = {
    MILLRACE_COMPATIBILITY: config.compatibility,
    MILLRACE_DOMAIN: [config.domain],
    MILLRACE_RESERVED_LABELS: config.reservedLabels,
    MILLRACE_OUTBOUND_ALLOW: config.outboundAllow,
  }
  const shown = Object.entries(lists).map(([name, list]) => {
    // Neither the order nor a repetition means anything.
    const value = [...new Set(list)].sort().join(',')
    return { name, value, shown: true, remedy: same }
  })
  return [instanceKey(config, secrets), ...shown]
}

function instanceKey(
  { instanceKey: given, dataDir }: Config,
  secrets: Pick<Secrets, 'check'>,
): AgreedSetting {
  const source = given === undefined ? `here it is of ${dataDir}/instance.key` : 'here it is set'
  return {
    name: 'MILLRACE_INSTANCE_KEY',
    value: secrets.check(),
    shown: false,
    remedy:
      `It encrypts secrets (${source}). Set it, for this process, to the 64 hexadecimal digits ` +
      'that the others use: those of instance.key in their data directory.',
  }
}
