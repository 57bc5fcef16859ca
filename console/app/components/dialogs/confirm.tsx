import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Trouble } from '../trouble.tsx'

const texts = defineTexts({
  cancel: ['Cancel', 'Abbrechen'],
})

type Props = {
  readonly opened: boolean
  readonly title: string
  /** The text of the button that confirms. */
  readonly action: string
  readonly isBusy: boolean
  readonly error: Error | null
  /** False: something that the dialog asks for is missing. */
  readonly mayConfirm?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
  /** A description of the loss. */
  readonly children: ReactNode
}

/** A dialog before a change that cannot be undone; the button with the first focus cancels. */
export function Confirm(props: Props) {
  const { opened, title, action, isBusy, error, onConfirm, onCancel, children } = props
  const t = useTexts(texts)
  return (
    <Modal opened={opened} onClose={onCancel} title={title} centered withCloseButton={false}>
      <Text size="sm" component="div">
        {children}
      </Text>
      {error !== null && <Trouble error={error} />}
      <Group justify="end" mt="md">
        <Button variant="default" size="xs" data-autofocus onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button
          color="red"
          size="xs"
          loading={isBusy}
          disabled={props.mayConfirm === false}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </Group>
    </Modal>
  )
}
