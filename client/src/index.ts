export { readJson, readPieces } from './answers.ts'
export {
  type ClientOptions,
  type Credential,
  createClient,
  formatAuthorization,
  type MillraceClient,
  type RequestOptions,
  unwrap,
} from './client.ts'
export { ApiError, errorIn, type Problem, refusalIn, toError } from './errors.ts'
export {
  type FollowOptions,
  follow,
  type LiveEvent,
  type LiveParams,
  type LivePath,
  readEvents,
} from './events.ts'
export type { components, operations, paths } from './generated/api.ts'
export { enums } from './generated/enums.ts'
export { type PageOf, pages } from './pages.ts'
export { fillPath, type Params } from './paths.ts'
export { type FormFile, type Source, type UploadOptions, upload, uploadForm } from './upload.ts'
