import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'good' | 'note' | 'care' | 'bad' | 'broken' | 'quiet'

type Props = {
  readonly tone: Tone
  readonly icon?: IconName
  readonly title?: string | undefined
  readonly text: ReactNode
}

/** A word with a colour, and a shape for those who do not see the colour. */
export function Badge({ tone, icon, title, text }: Props) {
  return (
    <span className={styles.badge} data-tone={tone} title={title}>
      {icon !== undefined && <Icon name={icon} size={14} />}
      {text}
    </span>
  )
}
