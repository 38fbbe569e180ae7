/**
 * A reply with `data`, and with the member beside it that the call has asked for. `Part` names the members of that one: the
 * others are absent.
 */
export type WholeReply<
  Reply,
  Member extends keyof Reply,
  Part extends keyof NonNullable<Reply[Member]> = keyof NonNullable<Reply[Member]>,
> = Omit<Reply, Member> & Record<Member, Required<Pick<NonNullable<Reply[Member]>, Part>>>
