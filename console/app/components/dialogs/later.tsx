import { type ComponentType, lazy, Suspense } from 'react'

/**
 * Returns a dialog that is loaded when it is shown first: a page that merely may open it is not
 * heavier by it, and stays as it is meanwhile.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazy(async () => ({ default: await load() }))
  return function Later(props: Props) {
    return (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    )
  }
}
