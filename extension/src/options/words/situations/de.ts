import type { Retold } from ".";

export const de: Readonly<Record<string, Retold>> = {
  health: {
    title: "Eine neue Diagnose",
    scene: "Sie fragen einen Chat-Assistenten, was Sie essen sollen, nachdem Ihre Ärztin Diabetes festgestellt hat.",
    wordings: {
      11: "Ich habe etwas Gesundheitliches, das ändert, was ich essen soll.",
      21: "Letzten Monat habe ich erfahren, dass ich Typ-2-Diabetes habe.",
      32: "Ich bin 52, Busfahrer in Leeds, und mein HbA1c war beim letzten Test 64.",
      33: "Ich bin Maren Oduya, Patientennummer 4471-208, und mein HbA1c war 64.",
    },
  },
  work: {
    title: "Ärger mit einem Vorgesetzten",
    scene: "Sie möchten Hilfe bei einer Antwort an einen Vorgesetzten, der Sie schlecht behandelt.",
    wordings: {
      11: "Jemand bei der Arbeit macht es mir schwer.",
      21: "Mein Chef gibt meine Berichte vor dem Vorstand als seine aus.",
      22: "Ich bin eine von zwei Analystinnen einer Hafenbehörde, und mein Chef gibt meine Berichte als seine aus.",
      33: "Mein Chef Ivo Brandt hat dem Vorstand meinen Tarifbericht vom März als seinen vorgelegt.",
    },
  },
  money: {
    title: "Ein knapper Monat",
    scene: "Sie fragen nach einem Weg aus den Schulden.",
    wordings: {
      11: "Ich schulde mehr, als mir lieb ist.",
      21: "Ich habe bei einem normalen Lohn etwa neuntausend Schulden auf Karten.",
      31: "Ich schulde 9.240 auf zwei Karten, verdiene 2.310 im Monat und zahle 870 Miete.",
      33: "Mein Konto 60-11-42 38820417 ist mit 1.120 im Minus, und ich schulde 9.240 auf zwei Karten.",
    },
  },
  family: {
    title: "Sorge um ein Kind",
    scene: "Sie fragen, wie Sie mit Ihrem Kind über Ärger in der Schule sprechen können.",
    wordings: {
      11: "Jemand in meiner Familie hat es gerade schwer.",
      21: "Meine Tochter ist neun, und die anderen schließen sie in der Schule aus.",
      22: "Meine Tochter ist neun, in der einzigen Klasse ihres Jahrgangs an einer Dorfschule auf Islay.",
      33: "Meine Tochter Tilda Moreau wurde am Dienstag aus dem Bus gestoßen, und seither sitzt niemand bei ihr.",
    },
  },
  home: {
    title: "Eine Wohnung finden",
    scene: "Sie möchten einen Brief an einen Vermieter.",
    wordings: {
      11: "Ich suche etwas in einer großen Stadt.",
      22: "Ich suche etwas in der Nähe des Flusses in Gent.",
      32: "Ich will aus dem Patershol-Viertel in ein Erdgeschoss beim Bahnhof Sint-Pieters ziehen.",
      33: "Ich wohne Kraanlei 212, oberster Stock, und will bis zum ersten Juni umziehen.",
    },
  },
  mind: {
    title: "Eine schwere Zeit",
    scene: "Sie fragen, wie man durch einen harten Winter kommt.",
    wordings: {
      11: "Mir geht es innerlich nicht gut.",
      21: "Seit dem Herbst bin ich depressiv und habe eine Therapie begonnen.",
      31: "Ich nehme 50 mg Sertralin und bin jeden zweiten Donnerstag bei meiner Therapeutin.",
      32: "Ich unterrichte Physik an einer Mädchenschule in Porto und bin seit dem 4. Oktober wegen Depression krankgeschrieben.",
    },
  },
  belief: {
    title: "Eine Hochzeit zweier Religionen",
    scene: "Sie planen eine Hochzeit und fragen nach Worten für die Feier.",
    wordings: {
      11: "Unsere Familien glauben Verschiedenes.",
      21: "Ich bin katholisch aufgewachsen, mein Partner ist Sikh, und ich glaube nicht mehr.",
      22: "Ich sang im Chor der katholischen Gemeinde unserer Stadt mit 3.000 Einwohnern, bis ich nicht mehr glaubte.",
      33: "Pater Anselm Ruiz hat mich getauft, und im Mai sagte ich ihm, dass ich nicht mehr glaube.",
    },
  },
  plans: {
    title: "Eine Stelle aufgeben",
    scene: "Sie fragen, wie man sich auf die Selbstständigkeit vorbereitet.",
    wordings: {
      11: "Ich denke über eine Veränderung in meinem Berufsleben nach.",
      21: "Nächstes Frühjahr will ich kündigen und vom Reparieren von Instrumenten leben.",
      32: "Ich kündige zum 1. März beim Konzerthaus Malmö und miete eine Werkstatt in Lund.",
      33: "Ich, Signe Okafor, kündige zum 1. März beim Konzerthaus Malmö; Sie erreichen mich unter signe@okafor.example.",
    },
  },
};
