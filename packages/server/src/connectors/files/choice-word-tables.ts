/* Whole words, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Japanese, Chinese and Korean. */

const closed = [
  'closed,close,solved,resolved,done,complete,completed,finished,fixed,cancelled,canceled,archived,spam,rejected,merged',
  'won,lost,closed won,closed lost,closed lost to competition,closed won deal,closed lost deal',
  'geschlossen,erledigt,gelöst,abgeschlossen,beendet,fertig,storniert,abgebrochen,archiviert,gewonnen,verloren',
  'fermé,fermée,clos,close,clôturé,clôturée,résolu,résolue,terminé,terminée,annulé,annulée,archivé,gagné,gagnée,perdu,perdue',
  'cerrado,cerrada,resuelto,resuelta,solucionado,solucionada,terminado,completado,cancelado,cancelada,archivado,ganado,ganada,perdido,perdida',
  'chiuso,chiusa,risolto,risolta,completato,completata,annullato,annullata,archiviato,vinto,vinta,perso,persa',
  'fechado,fechada,resolvido,resolvida,concluído,concluída,arquivado,ganho,ganha',
  'gesloten,opgelost,afgerond,voltooid,geannuleerd,gearchiveerd,gewonnen,verloren',
  'zamknięte,zamknięty,zamknięta,rozwiązane,rozwiązany,zakończone,zakończony,anulowane,anulowany,wygrane,wygrana,przegrane,przegrana',
  'закрыт,закрыта,закрыто,решен,решено,решена,завершен,завершено,выполнено,отменен,отменено,выигран,выиграна,проигран,проиграна',
  '完了,解決,解決済み,終了,クローズ,対応済み,キャンセル,受注,失注',
  '已关闭,关闭,已解决,解决,已完成,完成,已取消,赢单,输单,已關閉,已解決',
  '종료,종료됨,완료,완료됨,해결,해결됨,닫힘,취소,취소됨,성사,실패',
]

const pending = [
  'pending,on hold,hold,waiting,awaiting,snoozed,paused,deferred,postponed,suspended',
  'waiting on customer,waiting for customer,waiting on client,waiting on contact,waiting on requester,waiting on third party',
  'waiting for third party,waiting on third party vendor,waiting for reply,waiting for response,waiting on reply,awaiting customer',
  'awaiting reply,awaiting response,awaiting customer reply,awaiting customer response,pending customer,customer pending',
  'pending customer response,pending third party,waiting on vendor,waiting for vendor',
  'wartend,wartet,ausstehend,zurückgestellt,pausiert,warten,warten auf kunde,warten auf kunden,wartet auf kunde,wartet auf kunden',
  'warten auf antwort,wartet auf antwort,warten auf dritte,in wartestellung',
  'en attente,en pause,suspendu,en attente du client,en attente de réponse,en attente client',
  'pendiente,en espera,en pausa,esperando,esperando al cliente,esperando respuesta,a la espera',
  'in attesa,in sospeso,sospeso,in attesa del cliente,in attesa di risposta',
  'pendente,em espera,aguardando,aguardando cliente,aguardando resposta',
  'in behandeling bij klant,in de wacht,wachtend,wacht op klant,wachten op klant,wachten op antwoord',
  'oczekujące,oczekujący,wstrzymane,wstrzymany,oczekuje na klienta,oczekiwanie na klienta',
  'ожидание,в ожидании,ожидает,отложен,отложено,ожидание клиента,ожидает клиента,ожидание ответа',
  '保留,保留中,待機,待機中,返信待ち,顧客返信待ち',
  '待处理,等待,等待中,等待客户,等待客户回复,挂起,搁置,待處理,等待客戶',
  '보류,보류 중,대기,대기 중,대기중,고객 대기,답변 대기',
]

const open = [
  'open,opened,new,unresolved,unsolved,not resolved,not solved,not closed,unfinished,incomplete,re opened,reopened,active',
  'in progress,in process,processing,working,work in progress,assigned,unassigned,escalated,started,not started,to do,todo,backlog',
  'triage,acknowledged,investigating,waiting on us,waiting on agent,waiting for support,waiting on support,customer responded',
  'qualification,qualified,prospecting,needs analysis,value proposition,identify decision makers,id. decision makers',
  'perception analysis,proposal,proposal made,proposal/price quote,proposal sent,negotiation,negotiation/review,negotiations started',
  'negotiation review,appointment scheduled,qualified to buy,presentation scheduled,decision maker bought in,contract sent,lead in',
  'contact made,demo scheduled,discovery',
  'offen,neu,ungelöst,nicht gelöst,in bearbeitung,in arbeit,wiedereröffnet,zugewiesen,eskaliert,nicht erledigt',
  'ouvert,ouverte,nouveau,nouvelle,non résolu,en cours,rouvert,assigné',
  'abierto,abierta,nuevo,nueva,sin resolver,no resuelto,en curso,en progreso,en proceso,reabierto',
  'aperto,aperta,nuovo,nuova,non risolto,in corso,in lavorazione,riaperto',
  'aberto,aberta,novo,nova,não resolvido,em andamento,em progresso,reaberto',
  'open,nieuw,niet opgelost,in behandeling,heropend,toegewezen',
  'otwarte,otwarty,otwarta,nowe,nowy,nowa,nierozwiązane,w toku,w trakcie,ponownie otwarte',
  'открыт,открыта,открыто,новый,новая,новое,не решен,не решено,в работе,в процессе,переоткрыт',
  '未対応,新規,未解決,対応中,処理中,オープン,再オープン,進行中',
  '新建,打开,未解决,处理中,进行中,已分配,重新打开,開啟,處理中',
  '열림,신규,미해결,진행,진행 중,진행중,처리 중,처리중,재오픈',
]

const urgent = [
  'urgent,very urgent,critical,emergency,blocker,immediate,highest,very high,p0,p1,1 critical',
  'dringend,sehr dringend,kritisch,sofort,sehr hoch,critique,très urgent,urgence,très haute,urgente,crítico,crítica,muy urgente,muy alta',
  'critico,critica,molto urgente,molto alta,muito urgente,muito alta,dringend,kritiek,zeer hoog,pilne,pilny,krytyczny,krytyczne',
  'срочно,срочный,критический,критично,очень высокий,緊急,至急,最優先,紧急,緊急,严重,긴급,매우 높음',
]
const high = [
  'high,important,major,elevated,p2,hoch,wichtig,haute,haut,élevée,élevé,importante,alta,alto,importante,hoog,belangrijk',
  'wysoki,wysoka,ważny,высокий,высокая,важный,高,高い,높음,중요',
]
const medium = [
  'medium,normal,average,default,standard,moderate,regular,p3,none,mittel,moyenne,moyen,normale,media,medio,média,médio,gemiddeld,normaal',
  'średni,średnia,normalny,средний,средняя,обычный,中,普通,通常,中等,一般,보통,중간',
]
const low = [
  'low,lowest,very low,minor,trivial,not urgent,non urgent,p4,p5,niedrig,sehr niedrig,gering,nicht dringend,basse,bas,faible,pas urgent',
  'baja,bajo,no urgente,bassa,basso,non urgente,baixa,baixo,não urgente,laag,niet dringend,niski,niska,низкий,низкая,低,低い,낮음',
]

const inbound = [
  'inbound,incoming,in,received,eingehend,eingang,entrant,entrante,reçu,in arrivo,in entrata,recebida,recibida,inkomend',
  'przychodzące,przychodzący,входящий,входящая,着信,受信,呼入,来电,수신',
]
const outbound = [
  'outbound,outgoing,out,dialled,dialed,made,ausgehend,ausgang,sortant,émis,saliente,in uscita,saída,realizada,uitgaand',
  'wychodzące,wychodzący,исходящий,исходящая,発信,呼出,去电,발신',
]
const missed = [
  'missed,missed call,inbound missed,missed inbound,unanswered,verpasst,verpasster anruf,manqué,appel manqué,perdida,llamada perdida',
  'persa,chiamata persa,perdida,gemist,gemiste oproep,nieodebrane,пропущенный,不在着信,未接,未接来电,부재중',
]

const all = (lines: readonly string[]) => lines.join(',')

const status = { open: all(open), pending: all(pending), closed: all(closed) }

/** The words of the fields that hold one of a few words, by what they mean here. */
export const choiceWords = {
  status,
  stage: status,
  priority: { urgent: all(urgent), high: all(high), medium: all(medium), low: all(low) },
  channel: {
    email:
      'email,e mail,mail,mails,courriel,correo,correo electrónico,e post,почта,メール,邮件,이메일,전자 메일',
    chat: 'chat,live chat,livechat,web chat,webchat,messenger,messaging,чат,チャット,聊天,在线聊天,채팅',
    phone:
      'phone,phone call,call,telephone,voice,telefon,anruf,téléphone,appel,teléfono,llamada,telefono,telefone,telefoon,телефон,звонок,電話,电话,전화',
    whatsapp: 'whatsapp,whats app',
    instagram: 'instagram',
    twitter: 'twitter,x,x (twitter)',
    facebook: 'facebook,facebook messenger',
    sms: 'sms,text,text message,смс,短信,문자',
  },
  callType: { inbound: all(inbound), outbound: all(outbound), missed: all(missed) },
} as const
