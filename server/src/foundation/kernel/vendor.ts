/**
 * The spec writes `vendor` where the field writes a company's name. Both are answered at once;
 * this list is the only place with the names.
 */
export type VendorName = {
  /** The first path segment's name: `/<path>:v1/stack/alias`. */
  readonly path: string
  /** The lower-case name of the header that carries a device's token. */
  readonly tokenHeader: string
  /** The prefix of extension fields in OpenAPI files. */
  readonly openapiPrefix: string
}

const neutral: VendorName = {
  path: 'vendor',
  tokenHeader: 'x-vendor-cik',
  openapiPrefix: 'x-vendor-',
}

const compatibility: Readonly<Record<string, VendorName>> = {
  onep: { path: 'onep', tokenHeader: 'x-exosite-cik', openapiPrefix: 'x-exosite-' },
}

/** The names of compatibility profiles that may be switched on. */
export const compatibilityProfiles: readonly string[] = Object.keys(compatibility)

/** The neutral name, and those of the profiles that the operator switched on. */
export function vendorNames(profiles: readonly string[]): readonly VendorName[] {
  return [neutral, ...profiles.flatMap((profile) => compatibility[profile] ?? [])]
}
