import type { X509Certificate } from 'node:crypto'
import { Fault } from '../../kernel/index.ts'
import { refuseTime } from '../certificates/client-certificate.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ProvisioningOptions } from '../needs.ts'
import { about } from '../refusal.ts'
import type { Admission } from './admission.ts'
import type { ReadCertificate } from './authenticate-certificate.ts'
import type { CachedCredential } from './cached-credential.ts'
import type { Device } from './credentials.ts'

/**
 * Whether a device may go on with the connection on which it was let in, asked from memory.
 * @throws Fault `unknown_credential` where its credential is not the one of then any more,
 *   `locked`, `plain_connection`.
 */
export type Standing = () => Promise<void>

/** On what a device was let in. */
export type Link = {
  readonly encrypted: boolean
  /** Of its TLS connection, if it brought one. */
  readonly certificate: X509Certificate | undefined
}

/** For connections that live long: their credential is proved once, and withdrawn at any time. */
export type OpenStanding = (device: Device, link: Link) => Promise<Standing>

/**
 * Whether the connector's rules of now let a device speak on its connection. It costs no question
 * to the database where no certificate counts.
 * @throws Fault `plain_connection`, `unknown_credential`, and what a certificate is refused with.
 */
export type JudgeLink = (device: Device, link: Link) => Promise<void>

export function createJudge(
  { clock }: Pick<ProvisioningOptions, 'clock'>,
  connectors: Pick<Connectors, 'find'>,
  admission: Admission,
  readCertificate: ReadCertificate,
): JudgeLink {
  return async ({ connector, identity }, { encrypted, certificate }) => {
    const current = await connectors.find(connector.id)
    if (current === undefined) throw new Fault('unknown_credential', 'The connector is gone.')
    if (!encrypted && !current.devmode) throw new Fault('plain_connection')
    if (certificate === undefined) return
    const known = await admission.byIdentity(connector.id, identity)
    if (known?.authType !== 'certificate') return
    refuseTime(await readCertificate(current, certificate), clock.nowMs())
  }
}

export function createStandings(
  connectors: Pick<Connectors, 'find'>,
  admission: Admission,
  judge: JudgeLink,
): OpenStanding {
  return async (device, link) => {
    const { connector, identity } = device
    // What is kept in memory may be of the time before it was provisioned, a moment ago.
    const then = await admission.reread({ connectorId: connector.id, identity })
    return async () => {
      const now = await admission.byIdentity(connector.id, identity)
      const current = await connectors.find(connector.id)
      if (now === undefined || current === undefined || !isSame(now, then)) {
        throw about(new Fault('unknown_credential', 'The credential was withdrawn.'), device)
      }
      await admission.admit(now, current, { encrypted: link.encrypted })
      await judge(device, link)
    }
  }
}

function isSame(now: CachedCredential, then: CachedCredential | undefined): boolean {
  return now.passwordHash === then?.passwordHash && now.certificate === then.certificate
}
