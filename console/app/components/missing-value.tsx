import type { UseQueryResult } from '@tanstack/react-query'
import { hasCode, isOutage } from '../ui/errors.ts'
import { NextStep } from './next-step.tsx'
import { PageHead } from './page-head.tsx'
import { Trouble } from './trouble.tsx'

type Props = {
  readonly title: string
  /** The read that has the thing, or the list that it would be in. */
  readonly query: Pick<UseQueryResult, 'isSuccess' | 'error'>
  /** A sentence for an address of nothing. */
  readonly gone: string
}

/** The page of one thing while it is read, and if it is not there. */
export function Absent({ title, query: { isSuccess, error }, gone }: Props) {
  const isGone = isSuccess || hasCode(error, 'not_found')
  return (
    <>
      <PageHead title={title} />
      {isGone && <NextStep>{gone}</NextStep>}
      {!isGone && error !== null && !isOutage(error) && <Trouble error={error} />}
    </>
  )
}
