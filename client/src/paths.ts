import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import type { paths } from './generated/api.ts'

/** The API takes a list as one parameter with commas. */
export const querySerializer = createQuerySerializer({ array: { style: 'form', explode: false } })

/** The parameters of a call. */
export type Params = {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/** A path of the document with its parameters filled in. */
export function fillPath(path: keyof paths, params: Params): string {
  return createFinalURL(path, {
    baseUrl: '',
    params,
    querySerializer,
    pathSerializer: defaultPathSerializer,
  })
}
