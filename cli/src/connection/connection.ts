import type { Credential } from '@millrace/client'

/** The options of the command line for the instance. */
export type ConnectionOptions = {
  readonly url?: string | undefined
  readonly profile?: string | undefined
  readonly business?: string | undefined
}

/** The instance that a command calls, and its account. */
export type Connection = {
  readonly url: string
  readonly credential?: Credential
  readonly ca?: string
  /** The way in which it was found, for people. */
  readonly source: string
  /** The encrypted device API of an instance on this machine. */
  readonly deviceTls?: LocalTls
}

/** The address of a listener, and the file of the authority that its clients trust. */
export type LocalTls = { readonly url: string; readonly caFile: string }
