import { Button } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef, Ref } from 'react'
import { Icon, type IconName } from '../icon.tsx'

type Props = Omit<ComponentPropsWithoutRef<'a'>, 'children' | 'style' | 'color'> & {
  readonly text: string
  readonly icon?: IconName
  /** The first action of its place. */
  readonly main?: boolean
  readonly ref?: Ref<HTMLAnchorElement>
}

function ButtonAnchor({ text, icon, main, ...rest }: Props) {
  return (
    <Button
      component="a"
      size="xs"
      {...(main ? {} : { variant: 'default' })}
      leftSection={icon && <Icon name={icon} size={14} />}
      {...rest}
    >
      {text}
    </Button>
  )
}

/** A link to a page of the console that looks like an action. */
export const LinkAction = createLink(ButtonAnchor)
