import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/**
 * Returns a dialog that is loaded when it is shown first: a page that merely may open it is not
 * heavier by it, and stays as it is meanwhile.
 */
export function later<Dialog extends (props: never) => ReactNode>(
  load: () => Promise<Dialog>,
): Dialog
export function later(load: () => Promise<ComponentType<object>>): ComponentType<object> {
  const Dialog = lazy(async () => ({ default: await load() }))
  return function Later(props: object) {
    return (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    )
  }
}
