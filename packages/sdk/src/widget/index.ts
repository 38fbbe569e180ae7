export { signWidgetUser, type WidgetUser } from './sign-widget-user.ts'
