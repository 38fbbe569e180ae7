import { Option } from '@commander-js/extra-typings'

// The contract's own lists would load its schemas; the compiler compares these with the client's types.
const priorities = ['low', 'medium', 'high', 'urgent'] as const
const channels = ['email', 'chat', 'phone', 'whatsapp', 'instagram', 'twitter', 'facebook', 'sms'] as const

export const priorityOption = (text: string) => new Option('--priority <priority>', text).choices(priorities)
export const channelOption = (text: string) => new Option('--channel <channel>', text).choices(channels)
