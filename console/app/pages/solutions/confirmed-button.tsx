import { Button } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import type { Change } from '../../ui/change.ts'

type Props = {
  readonly action: string
  /** The question of the dialog. */
  readonly title: string
  /** What cannot be had back. */
  readonly lost: string
  readonly change: Change<void>
}

/** A button of a change that cannot be undone, with the dialog before it. */
export function ConfirmedButton({ action, title, lost, change }: Props) {
  const [isAsked, setAsked] = useState(false)
  const close = () => {
    setAsked(false)
    change.reset()
  }
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        {action}
      </Button>
      <Confirm
        opened={isAsked}
        title={title}
        action={action}
        isBusy={change.isBusy}
        error={change.error}
        onConfirm={() => change.run(undefined, close)}
        onCancel={close}
      >
        {lost}
      </Confirm>
    </>
  )
}
