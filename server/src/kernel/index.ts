import './relations.ts'

export { type Batches, createBatches, type Outcome } from './batches.ts'
export { type Clock, elapsedMs, systemClock } from './clock.ts'
export { type ErrorCode, errorCatalogue, Fault, faultOf } from './errors.ts'
export {
  arrayField,
  booleanField,
  choiceField,
  countChars,
  type Fields,
  invalidField,
  objectField,
  refuseText,
  textField,
  wholeField,
} from './fields.ts'
export { headerLetters, headerName, lettersOf } from './header.ts'
export { HintedLoop } from './hinted-loop.ts'
export { hashToken, newId, newToken, type Random, systemRandom } from './ids.ts'
export { isJsonObject, type Json, type JsonObject, jsonOf, parseJsonObject } from './json.ts'
export { limits } from './limits.ts'
export { createLogger, type Logger } from './logger.ts'
export { createMemory, type Memory } from './memory.ts'
export { type Named, namedArguments, refuseOtherNames, unlessEmptyList } from './named.ts'
export { createOnce } from './once.ts'
export { createPasswords, type Passwords } from './password.ts'
export { createRates, type Rate, type Rates } from './rates.ts'
export { readRequestBody } from './request-body.ts'
export { createThrottle, type Throttle } from './throttle.ts'
export { compatibilityProfiles, type VendorName, vendorNames } from './vendor.ts'
export { createVerified, type Verified } from './verified.ts'
