export {
  authorizationOf,
  type ClientOptions,
  type Credential,
  createClient,
  type MillraceClient,
  unwrap,
} from './client.ts'
export { ApiError, errorIn, errorOf } from './errors.ts'
export { type FollowOptions, follow, type ServerEvent } from './events.ts'
export type { components, operations, paths } from './generated/api.ts'
export { type PageOf, pages } from './pages.ts'
export { type FormFile, type Source, type UploadOptions, upload, uploadForm } from './upload.ts'
