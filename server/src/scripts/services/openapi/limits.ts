/** Limits of `services/openapi` that no operator sets. */
export const openapiLimits = {
  /** Calls of a described service in a minute, if its configuration sets no rate; then 429. */
  cloudRequestsPerMinute: 600,
  /** The most calls of a described service in a minute that its configuration can allow. */
  cloudRequestsPerMinuteMax: 6_000,
  /** Events that a described service raises by its URLs in a minute; then 429. */
  cloudCallbacksPerMinute: 600,
  /** Parameters, fields of bodies and schemes of all operations of an `openapi` service. */
  cloudPartsMax: 40_000,
}
