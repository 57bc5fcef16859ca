/** An address to listen on. */
export type Address = { readonly host: string; readonly port: number }

/** The settings of an instance that its ports need. */
export type ListenSettings = {
  readonly http: Address
  readonly deviceTls: Address
  /** Undefined: no port. */
  readonly mqttTls: Address | undefined
  readonly mqtt: Address | undefined
  readonly domain: string
  /** Names of the instance itself, beside the domain, `localhost` and addresses. */
  readonly hosts: readonly string[]
}
