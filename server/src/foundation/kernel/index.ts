import './limits/relations.ts'

export {
  type Static,
  type TArray,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  Type,
} from 'typebox'
export {
  type Batcher,
  createBatcher,
  createOnce,
  type Outcome,
} from './async/batcher.ts'
export { DelayedFlush, detached } from './async/delayed-flush.ts'
export { LruMap } from './async/lru-map.ts'
export { PollLoop } from './async/poll-loop.ts'
export {
  createFailureLimiter,
  type FailureLimiter,
  type Rate,
  RateLimiter,
} from './async/rate-limiter.ts'
export { Semaphore, type Share } from './async/semaphore.ts'
export { type BoundHolder, SharedBound } from './async/shared-bound.ts'
export { type CallerSpan, callerSpanIn } from './caller-span.ts'
export {
  checkedDescription,
  checkedName,
  checkedPage,
  checkedText,
  cut,
  type FailureKey,
  invalid,
  isCount,
  isDecimal,
  type PageRange,
  parseDecimal,
} from './checks.ts'
export {
  type Clock,
  elapsedMs,
  pauseUnlessAborted,
  presentUntil,
  refuseUnit,
  systemClock,
  threadMs,
  unitOfStamp,
} from './clock.ts'
export {
  type Confirmation,
  type DependantKind,
  type Dependants,
  type Preview,
  previewSchema,
  requireConfirmed,
} from './dependants.ts'
export {
  changedFields,
  createDifferenceSchema,
  type Difference,
  findDifference,
} from './difference.ts'
export {
  type DocumentProblem,
  type ErrorCode,
  errorCatalogue,
  Fault,
  invalidField,
  toFault,
} from './errors.ts'
export { createFileOnce, replaceFile, syncFolder } from './files.ts'
export {
  answeredMethods,
  formFields,
  headerLetters,
  headerName,
  matchesTag,
  nextTurn,
  onClientEnd,
  pageHeaders,
  readRequestBody,
  refuseCompressed,
  toLatin1,
  withBlanks,
} from './http.ts'
export {
  fnv1a,
  hashToken,
  newId,
  newToken,
  newUuid,
  type Random,
  systemRandom,
} from './ids.ts'
export { fixedReasons } from './limits/kinds.ts'
export { brokenRelations, relationSentences } from './limits/relations.ts'
export { formatLimit, limitForm, limitUnit, limitVariable, parseLimit } from './limits/units.ts'
export {
  applyLimits,
  changedLimits,
  type LimitName,
  type LimitValues,
  limitDefinitions,
  limits,
} from './limits.ts'
export { createLogger, type Logger } from './logger.ts'
export { isMeasured, type Measurements, measure, onMeasured } from './measurements.ts'
export { createPasswords, type Passwords } from './password.ts'
export {
  type Forwarded,
  isLocalName,
  isLoopbackHost,
  namePeer,
  type Peer,
  peerOfSocket,
  plainAddress,
  readForwarded,
  readPeer,
} from './peer.ts'
export {
  nameOperation,
  nameRequest,
  type RequestInfo,
  readRequestInfo,
  requestIdIn,
} from './request-info.ts'
export {
  AnyValue,
  Bytes,
  countChars,
  EmptyObject,
  Nullable,
  RecordOf,
  refuseText,
  type StaticInput,
  type StaticResult,
  StrictObject,
  secretNames,
  Text,
} from './schema/build.ts'
export {
  component,
  Microseconds,
  mayLoadMore,
  OptionalMicroseconds,
  PageSize,
  SearchText,
} from './schema/nouns.ts'
export {
  defineOperations,
  type Implementation,
  implement,
  type OperationEffect,
  type OperationResult,
  type OperationSchema,
  type OperationSchemas,
} from './schema/operations.ts'
export { createParser, createSettingsParser, type Parser } from './schema/parser.ts'
export { fieldsTable, typeInWords } from './schema/reference.ts'
export { withoutRefused } from './schema/refused-parts.ts'
export { withoutUnknown } from './schema/unknown-fields.ts'
export { readFromWire, refusalOnWire, showOnWire, wireSchema } from './schema/wire.ts'
export {
  anyJson,
  checkJson,
  type Fields,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonBounds,
  makeRecord,
  mergeJson,
  omitUndefined,
  parseJson,
  parseJsonObject,
  parseOwnJson,
  pointerKeys,
  toJson,
  toPointer,
} from './text/json.ts'
export { parseJsonInTurns } from './text/json-in-turns.ts'
export { type Pattern, parsePattern } from './text/pattern.ts'
export {
  commaList,
  isOn,
  type ProcessRole,
  parseRoles,
  parseWord,
  processRoles,
} from './text/setting-text.ts'
export {
  bytesWithoutMark,
  decodeChunks,
  decodeText,
  decodeTextOrLatin1,
  detectEncoding,
  exactText,
  readableText,
  requireText,
  textOrBytes,
  withoutMark,
} from './text/text.ts'
export { formatYaml, parseYaml, YamlProblem } from './text/yaml.ts'
export { parseIso, refuseTime, toIso } from './time/iso.ts'
export {
  checkRetentionHours,
  type PeriodPart,
  type PeriodsByBusiness,
  removeByPeriods,
  unsetPeriods,
} from './time/periods.ts'
export { isTimeZone, zoneMinutes } from './time/zone.ts'
export { compatibilityProfiles, type VendorName, vendorNames } from './vendor.ts'
export { createVerified, type Verified } from './verified-pairs.ts'
export {
  changedVersion,
  comparedVersionSchema,
  type RestoredVersion,
  restoredVersionSchema,
  savedBy,
  type VersionFacts,
  versionSchema,
} from './versions.ts'
