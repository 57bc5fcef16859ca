import { ApiError } from '@millrace/client'

/** Codes of a certificate whose chain ends in no authority that is trusted here. */
const untrusted: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** Describes what ended a command, with what its user can do. */
export function errorSentence(error: Error, command: string | undefined): string {
  const { message, cause } = error
  const { code, message: why } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  if (!(error instanceof ApiError)) {
    return code === undefined || message.includes(code) ? message : `${message} (${code})`
  }
  if (code !== undefined && untrusted.includes(code)) {
    return `the certificate of the instance is not trusted (${code}): millrace login --ca`
  }
  if (code !== undefined && /CERT/.test(code)) {
    return `the certificate of the instance is not valid: ${why}`
  }
  if (error.status === 401 && command !== 'login') return `${message} Log in again: millrace login`
  return error.reason === undefined ? message : `${message}: ${error.reason}`
}
